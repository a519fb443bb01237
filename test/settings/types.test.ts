import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import type { AgentRuntimeContext } from '../../src/strategies/contract.ts';

type Accessors = AgentRuntimeContext['ephemerals'];

test('the runtime context has the accessors of the density settings (REQ-HD-009.5)', () => {
  expectTypeOf<Accessors['densityReadWritePruning']>().toEqualTypeOf<() => boolean>();
  expectTypeOf<Accessors['densityFileDedupe']>().toEqualTypeOf<() => boolean>();
  expectTypeOf<Accessors['densityRecencyPruning']>().toEqualTypeOf<() => boolean>();
  expectTypeOf<Accessors['densityRecencyRetention']>().toEqualTypeOf<() => number>();
});

test('the density settings are optional fields of the ephemeral settings (REQ-HD-009.6)', () => {
  expectTypeOf<
    Pick<
      EphemeralSettings,
      | 'compression.density.readWritePruning'
      | 'compression.density.fileDedupe'
      | 'compression.density.recencyPruning'
      | 'compression.density.recencyRetention'
    >
  >().toEqualTypeOf<{
    readonly 'compression.density.readWritePruning'?: boolean;
    readonly 'compression.density.fileDedupe'?: boolean;
    readonly 'compression.density.recencyPruning'?: boolean;
    readonly 'compression.density.recencyRetention'?: number;
  }>();
});

test('the compiler agrees with the types that this file pins (REQ-HD-009.5, REQ-HD-009.6)', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const folder = mkdtempSync(path.join(tmpdir(), 'density-types-'));
  const config = path.join(folder, 'tsconfig.json');
  const typeRoots = [path.join(root, 'node_modules/@types')];
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: { noEmit: true, typeRoots },
      files: [import.meta.filename],
      include: [],
    }),
  );
  try {
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    expect(execFileSync(process.execPath, [compiler, '-p', config], { encoding: 'utf8' })).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
