import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { footprint } from '../../../src/content/footprint.ts';
import { plainCopy } from '../../../src/offload/transfer/plain-copy.ts';
import { countEntry } from '../../../src/tokens/entries/entry.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';
import { runs } from '../../property-runs.ts';
import { deepValue, oddEntry, revoked } from '../odd-values.ts';

const tokenizer = createTokenizer('o200k');
const call = (parameters: unknown): IContent => ({
  speaker: 'ai',
  blocks: [{ type: 'tool_call', id: 'a', name: 'read_file', parameters }],
});

describe('a plain copy of an entry', () => {
  test('contains the JSON of instances, and keeps plain fields themselves', () => {
    const parameters = { file_path: 'a.ts', at: new Date(0), call: () => 1 };
    const block = { type: 'text', text: 'kept', providerMetadata: { id: 7 } } as const;
    const copy = plainCopy({ speaker: 'ai', blocks: [block, ...call(parameters).blocks] });
    expect(copy.blocks[0]).toMatchObject(block);
    expect(copy.blocks[0]!.providerMetadata).toBe(block.providerMetadata);
    expect(copy.blocks[1]).toMatchObject({ parameters: { file_path: 'a.ts', at: '1970-01-01T00:00:00.000Z' } });
  });

  test('is plain, clonable and counts the same, for any content of the entry (law 5)', () => {
    fc.assert(
      fc.property(oddEntry, (entry) => {
        const copy = plainCopy(entry);
        expect(footprint(copy).isPlain).toBe(true);
        expect(countEntry(structuredClone(copy), tokenizer)).toBe(countEntry(entry, tokenizer));
        expect(copy.speaker).toBe(entry.speaker);
        expect(copy.blocks.map(({ type }) => type)).toEqual(entry.blocks.map(({ type }) => type));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('does without a proxy that was revoked, wherever it is', () => {
    const entry: IContent = { ...call(revoked()), metadata: { id: 'e', fact: revoked() } };
    expect(footprint(plainCopy(entry)).isPlain).toBe(true);
    expect(countEntry(structuredClone(plainCopy(entry)), tokenizer)).toBe(countEntry(entry, tokenizer));
  });

  test.each([600, 5_000, 50_000])('cuts off what is nested %i levels deep, and keeps the path', (levels) => {
    const copy = plainCopy(call(deepValue(levels)));
    expect(footprint(copy).isPlain).toBe(true);
    expect(structuredClone(copy).blocks[0]).toMatchObject({ parameters: { file_path: 'deep.ts' } });
  });
});
