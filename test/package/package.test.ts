import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { jsonLines, outcomeOf } from '../e2e/density.ts';
import { SLOW_CLOCK } from '../e2e/slow-clock.ts';
import { installedPackage } from './installed-package.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('the packed package, installed in an empty folder', () => {
  const { folder, modules, command } = installedPackage();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: folder };
  const node = (...args: string[]): { out: string; err: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    return { out: stdout, err: stderr };
  };

  beforeAll(() => {
    mkdirSync(path.join(modules, '@types'));
    symlinkSync(path.join(ROOT, 'node_modules/@types/node'), path.join(modules, '@types/node'));
    copyFileSync(path.join(ROOT, 'test/fixtures/ten-lines.mjs'), path.join(folder, 'ten-lines.mjs'));
    copyFileSync(path.join(ROOT, 'test/consumer/consumer.ts'), path.join(folder, 'consumer.ts'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  });

  test('runs `density replay`; threads would not pay for a session of this size', () => {
    const { out, err } = node(command, 'replay', '--json', '--stats');
    expect(jsonLines(out)[0]).toMatchObject({ file: 'example', engine: 'offloaded', turns: 150, notices: [] });
    expect(err).toMatch(/counted +0 B on threads, [1-9]\S* \S+ on the main thread/);
    expect(err).not.toContain('The main thread does the work');
  });

  test('runs a script of ten lines with the offloaded engine', () => {
    const script = readFileSync(path.join(folder, 'ten-lines.mjs'), 'utf8');
    expect(script.trim().split('\n').length).toBeLessThanOrEqual(10);
    const { out, err } = node('ten-lines.mjs');
    const [said] = jsonLines(out);
    expect(err).toBe('');
    expect(said).toMatchObject({ bytesCountedByCaller: 0 });
    expect(Number(said?.['tokens'])).toBeGreaterThan(30_000);
    expect(Number(said?.['bytesCountedOnThreads'])).toBeGreaterThan(140_000);
  });

  test('finds the worker that reads and counts files', () => {
    const large = path.join(folder, 'large.txt');
    const text = 'what was said '.repeat(100_000);
    writeFileSync(large, text);
    const { out, err } = node(command, 'dev', 'count', '--json', large);
    expect(jsonLines(out)[0]).toMatchObject({ bytes: text.length });
    expect(err).not.toContain('The main thread does the work');
  });

  test('prunes the requests of an agent by the lines of the README', async () => {
    const lines = /prune your first request[^\n]*\n\n```sh\n(.*?)```/s.exec(
      readFileSync(path.join(ROOT, 'README.md'), 'utf8'),
    )?.[1];
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(
      lines
        ?.trim()
        .split('\n')
        .map((line) => line.replace(/ +#.*/, '')),
    ).toEqual([
      // `beforeAll` did these two.
      'npm ci && npm pack --pack-destination ..',
      `npm install --save-dev ../high-density-${version}.tgz`,
      './node_modules/.bin/density wrap claude',
    ]);
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    copyFileSync(path.join(ROOT, 'test/fixtures/loop-agent.mjs'), path.join(bin, 'loop'));
    chmodSync(path.join(bin, 'loop'), 0o755);
    const seen: { readonly status: number; readonly body: string }[] = [];
    const server = providerServer(new StrictProvider(), {
      now: () => Date.now(),
      onRequest: ({ body }, { status }) => seen.push({ status, body: JSON.stringify(body) }),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const LOOP_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const PATH = [bin, path.dirname(process.execPath), env.PATH].join(path.delimiter);
    const args = ['wrap', '--env', 'LOOP_BASE_URL', 'loop', '3'];
    const child = spawn('./node_modules/.bin/density', args, {
      cwd: folder,
      env: { ...env, PATH, LOOP_BASE_URL, NODE_OPTIONS: `--import=${SLOW_CLOCK}` },
    });
    const { code, err } = await outcomeOf(child);
    server.close();
    expect([code, err]).toEqual([0, expect.stringContaining('1 result shortened')]);
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(seen.map(({ body }) => body.includes('⟦density: 400 lines'))).toEqual([false, false, true]);
  });

  const COMPILERS = { '5.0': 'test/consumer/node_modules/typescript', newest: 'node_modules/typescript' };

  test.each(Object.entries(COMPILERS))(
    'has declarations that compile under TypeScript %s, strict and with the declarations checked',
    (_, compiler) => {
      const tsc = path.join(ROOT, compiler, 'bin/tsc');
      if (!existsSync(tsc)) throw new Error(`Expected TypeScript at ${tsc}, got nothing there. Run \`npm ci\`.`);
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        types: ['node'],
      };
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
  );

  test.each(Object.entries(COMPILERS))(
    "has a `Message` that can be assigned to and from `MessageParam` of two versions of Anthropic's SDK, under TypeScript %s (4.4; docs/readings.md, rows 34 and 45)",
    (_, compiler) => {
      for (const name of ['sdk-old', 'sdk-new']) {
        const sdk = path.join(ROOT, 'node_modules', name);
        if (!existsSync(sdk)) throw new Error(`Expected Anthropic's SDK at ${sdk}, got nothing there. Run \`npm ci\`.`);
        if (!existsSync(path.join(modules, name))) symlinkSync(sdk, path.join(modules, name));
      }
      copyFileSync(path.join(ROOT, 'test/consumer/message-param.ts'), path.join(folder, 'message-param.ts'));
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        // The declarations of the SDK have errors of their own.
        skipLibCheck: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        types: ['node'],
      };
      const files = ['message-param.ts'];
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const tsc = path.join(ROOT, compiler, 'bin/tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
  );
});
