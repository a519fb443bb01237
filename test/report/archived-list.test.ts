import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { archivedList, titledBlocks } from '../../src/report/archived-list.ts';

const block = (digit: string) => ({ hash: digit.repeat(64), sizeBytes: 2_164, keptAt: Date.UTC(2026, 1, 19, 10, 20) });
const archiveOf = (contents: Readonly<Record<string, ContentBlock>>) => ({
  contents: async (blocks: readonly ReturnType<typeof block>[]) =>
    blocks.flatMap((one) => (contents[one.hash[0]!] ? [{ ...one, block: contents[one.hash[0]!]! }] : [])),
});

describe('the list of the archive', () => {
  test('names the tool and file of each block, by the call that was kept with it', async () => {
    const archive = archiveOf({
      a: { type: 'tool_response', callId: '1', toolName: 'read_file', result: 'const a = 1;' },
      b: { type: 'tool_call', id: '1', name: 'read_file', parameters: { file_path: 'src/a.ts' } },
      c: { type: 'tool_response', callId: '2', toolName: 'run_shell_command', result: 'all 12\ntests passed' },
      d: { type: 'text', text: 'A long story.' },
    });
    const titled = await titledBlocks(archive, ['a', 'b', 'c', 'd', 'e'].map(block));
    expect(archivedList(titled, 5)).toEqual([
      'aaaaaaaaaaaa  2026-02-19 10:20      3 tokens  read_file src/a.ts',
      'cccccccccccc  2026-02-19 10:20      5 tokens  run_shell_command: all 12 tests passed',
      'dddddddddddd  2026-02-19 10:20      4 tokens  A long story.',
      // It was deleted meanwhile, or is too large to be read for a list.
      'eeeeeeeeeeee  2026-02-19 10:20    541 tokens',
    ]);
  });

  test('takes the call that was kept with a result where ids repeat, and none if several were', async () => {
    const result = (text: string): ContentBlock => ({
      type: 'tool_response',
      callId: '1',
      toolName: 'Read',
      result: text,
    });
    const call = (file: string): ContentBlock => ({
      type: 'tool_call',
      id: '1',
      name: 'Read',
      parameters: { file_path: file },
    });
    const archive = archiveOf({
      a: result('newer'),
      b: call('newer.ts'),
      c: call('older.ts'),
      d: result('older'),
      e: call('one.ts'),
      f: result('one or other'),
      1: call('other.ts'),
    });
    const at = (digit: string, ms: number) => ({ ...block(digit), keptAt: block(digit).keptAt + ms });
    const blocks = [
      at('a', 900_000),
      at('b', 899_990),
      at('c', 500_010),
      at('d', 500_000),
      at('e', 20),
      at('f', 10),
      at('1', 0),
    ];
    const titled = await titledBlocks(archive, blocks);
    expect(titled.map(({ title }) => title)).toEqual(['Read newer.ts', 'Read older.ts', 'Read: one or other']);
  });

  test('counts those that do not fit', async () => {
    const all = Array.from({ length: 22 }, () => block('c'));
    const lines = archivedList(await titledBlocks(archiveOf({}), all), all.length);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 2 older blocks');
  });
});
