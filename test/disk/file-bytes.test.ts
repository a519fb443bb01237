import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileBytes } from '../../src/disk/file-bytes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'file-bytes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LONG = Buffer.alloc(2.5 * 1024 * 1024, 'a line of a session\n');

function written(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

describe('the bytes of a file', () => {
  test('are the same at every pass, whatever is appended between two', () => {
    for (const [name, whole] of [['long', LONG] as const, ['short', Buffer.from('one\n')] as const]) {
      const file = written(name, whole);
      const bytes = fileBytes(file);
      const passes = [1, 2].map(() => {
        const done: number[] = [];
        const joined = Buffer.concat([...bytes.chunks((doneBytes) => done.push(doneBytes))]);
        appendFileSync(file, 'later\n');
        return { isWhole: joined.equals(whole), done };
      });
      expect(passes[0]).toEqual({ isWhole: true, done: passes[1]?.done });
      expect(passes[1]?.isWhole).toBe(true);
      expect(passes[1]?.done.at(-1)).toBe(whole.length);
    }
  });

  test('are the first of them where so many are asked for, and none of an empty file', () => {
    expect(Buffer.concat([...fileBytes(written('part', LONG), 7).chunks()]).toString()).toBe('a line ');
    expect([...fileBytes(written('empty', new Uint8Array())).chunks()]).toEqual([]);
  });

  test.each([
    ['UTF-16', (text: string) => Buffer.from(text, 'utf16le')],
    ['big-endian UTF-16', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('are UTF-8 without a byte order mark where the file is %s', (name, encode) => {
    const text = `{"said":"é漢😀"}\n`.repeat(100_000);
    const file = written(name, encode(`\ufeff${text}`));
    const bytes = fileBytes(file);
    expect(Buffer.concat([...bytes.chunks()]).toString() === text).toBe(true);
    expect(bytes.sizeBytes).toBe(Buffer.byteLength(text));
    // As a thread opens it: up to the size that was found first.
    expect(fileBytes(file, bytes.sizeBytes).sizeBytes).toBe(bytes.sizeBytes);
  });

  test('are refused, with what is missing, when the file was cut short since', () => {
    const file = written('cut', LONG);
    const bytes = fileBytes(file);
    truncateSync(file, 1024 * 1024 + 1);
    expect(() => [...bytes.chunks()]).toThrow(/Expected 2,621,440 bytes in .*cut, got 1,048,577: it was cut short/);
  });
});
