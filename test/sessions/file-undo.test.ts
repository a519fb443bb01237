import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileUndo, isFileUndo, undoneFile } from '../../src/sessions/file-undo.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const row = (number: number): string => `{"uuid":"${number}","text":"${'x'.repeat(40)} ${number}"}\n`;
const rows = (...numbers: readonly number[]): string => numbers.map(row).join('');

describe('the undo of a changed file', () => {
  test('gives back the bytes before the change, whatever they are, and what was appended since', () => {
    const part = fc.oneof(fc.constantFrom(row(1), row(2), row(3), '}\n', '\n', 'é{"a":1}'), fc.string());
    const file = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => bytesOf(parts.join(''))),
      fc.uint8Array({ maxLength: 80 }),
    );
    fc.assert(
      fc.property(file, file, file, (before, after, added) => {
        const undo = JSON.parse(JSON.stringify(fileUndo(before, after))) as unknown;
        expect(isFileUndo(undo)).toBe(true);
        const undone = isFileUndo(undo) && undoneFile(Buffer.concat([after, added]), undo);
        expect(Buffer.from(undone || 'none').equals(Buffer.concat([before, added]))).toBe(true);
      }),
    );
  });

  test('contains only the pieces that the change removed', () => {
    const { parts } = fileUndo(bytesOf(rows(1, 2, 3, 4, 5)), bytesOf(rows(1, 2, 5)));
    const length = row(1).length;
    expect(parts).toEqual([[0, 2 * length], row(3) + row(4), [2 * length, length]]);
  });

  test('is not used on a file that was changed in another way', () => {
    const undo = fileUndo(bytesOf(rows(1, 2)), bytesOf(rows(1)));
    expect(undoneFile(bytesOf(rows(2)), undo)).toBeUndefined();
    expect(undoneFile(bytesOf(rows(1).slice(1)), undo)).toBeUndefined();
  });
});
