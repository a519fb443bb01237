import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertWritable, pendingFile } from '../../src/disk/pending-file.ts';
import { builtFile } from '../built-file.ts';

const built = await builtFile('src/disk/pending-file.ts');

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

describe('a pending file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'pending-'));
    file = path.join(folder, 'out');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('appears under its name when it is committed, and not before', async () => {
    const pending = await pendingFile(file, [text('a'), text('b')], { mode: 0o600, mayReplace: false });
    expect(readdirSync(folder)).not.toContain('out');
    await pending.commit();
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readFileSync(file, 'utf8')).toBe('ab');
  });

  test('leaves nothing when it is discarded or its pieces cannot be made', async () => {
    await (await pendingFile(file, [text('a')], { mode: 0o600, mayReplace: false })).discard();
    function* broken(): Generator<Uint8Array> {
      yield new Uint8Array(2 << 20);
      throw new Error('no more');
    }
    await expect(pendingFile(file, broken(), { mode: 0o600, mayReplace: false })).rejects.toThrow('no more');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('does not replace a file that appeared meanwhile, unless it may', async () => {
    const careful = await pendingFile(file, [text('ours')], { mode: 0o600, mayReplace: false });
    const forced = await pendingFile(file, [text('ours')], { mode: 0o600, mayReplace: true });
    writeFileSync(file, 'theirs');
    await expect(careful.commit()).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    await forced.commit();
    expect(readFileSync(file, 'utf8')).toBe('ours');
    expect(readdirSync(folder)).toEqual(['out']);
  });

  test('is created empty when there is nothing to write', async () => {
    await (await pendingFile(file, [], { mode: 0o600, mayReplace: false })).commit();
    expect(readFileSync(file)).toHaveLength(0);
  });

  test('names the file and the reason when it cannot be written', async () => {
    const wrong = path.join(folder, 'missing', 'out');
    await expect(pendingFile(wrong, [text('a')], { mode: 0o600, mayReplace: false })).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining(wrong),
    });
  });

  test('is tried before there is anything to write, with the same words and nothing left', async () => {
    assertWritable(file);
    expect(readdirSync(folder)).toEqual([]);
    const wrong = path.join(folder, 'missing', 'out');
    const later = await pendingFile(wrong, [], { mode: 0o600, mayReplace: false }).catch((error: unknown) => error);
    expect(() => assertWritable(wrong)).toThrow((later as Error).message);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is removed when half-written after %s, and the process ends',
    async (signal) => {
      const script = `
      import { assertWritable, pendingFile } from ${JSON.stringify(built.href)};
      function* endless() {
        for (let batch = 0; ; batch++) {
          yield new Uint8Array(1 << 20);
          if (batch === 1) process.stdout.write('half-written');
          if (batch > 40) batch = 2;
        }
      }
      await pendingFile(${JSON.stringify(file)}, endless(), { mode: 0o600, mayReplace: false });`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      const ended = new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
      child.stdout.once('data', () => {
        expect(readdirSync(folder)).toHaveLength(1);
        child.kill(signal);
      });
      expect(await ended).toBe(signal);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
