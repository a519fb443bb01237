import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../../src/content/content.ts';
import type { DensityConfig } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ALL_OFF, ai, human, image, text, tool } from '../../conversation.ts';

const CONFIG: DensityConfig = { ...ALL_OFF, fileDedupe: true };
const BANNER = '\n--- Content from referenced files ---';
const END = '\n--- End of content ---';
const included = (path: string, body = 'old'): string => `--- ${path} ---\n${body}\n--- End of content ---`;
const optimize = (...history: IContent[]) => new HighDensityStrategy().optimize(history, CONFIG);

/** The texts of the first entry after its inclusions of a.ts went stale by a later message. */
function cut(...blocks: (ContentBlock | string)[]): (string | ContentBlock)[] {
  const history = [human(...blocks), human(included('a.ts', 'new'))];
  const [first] = applied(history, optimize(...history));
  return first!.blocks.map((block) => (block.type === 'text' ? block.text : block));
}

describe('dedupe of file inclusions', () => {
  test('keeps the latest inclusion and cuts the earlier ones (REQ-HD-006.1, REQ-HD-006.2, BR-DEDUP-001, BR-DEDUP-002, EC-021)', () => {
    const message = (body: string): IContent => human(`look\n${included('a.ts', body)}`);
    const { replacements, removals, metadata } = optimize(message('1'), ai('ok'), message('2'), message('3'));
    expect([...replacements]).toEqual([
      [0, human('look')],
      [2, human('look')],
    ]);
    expect(removals).toEqual([]);
    expect(metadata).toEqual({ readWritePairsPruned: 0, fileDeduplicationsPruned: 2, recencyPruned: 0 });
  });

  test('replaces, never removes, and keeps the words around (REQ-HD-006.3, BR-DEDUP-003, EC-022)', () => {
    expect(cut(`before\n\n${included('a.ts')}\n\nafter`)).toEqual(['before\n\nafter']);
    expect(cut(`before\n${included('a.ts')}\nafter`)).toEqual(['before\nafter']);
    expect(cut(`${included('a.ts')}\n  after`)).toEqual(['  after']);
    expect(cut(`before  \n\n\n${included('a.ts')}\n\n`)).toEqual(['before']);
  });

  test('joins the words around it, however many line ends are between them', () => {
    expect(cut(`before\n${included('a.ts')}${'\n'.repeat(12_000_000)}after`)).toEqual(['before\n\nafter']);
  });

  test('paths are compared resolved against the workspace root (row 12)', () => {
    const { replacements } = optimize(human('x', included('./src/../a.ts')), human(included('/repo/a.ts')));
    expect([...replacements.keys()]).toEqual([0]);
    expect(optimize(human('x', included('A.ts')), human(included('a.ts'))).replacements.size).toBe(0);
  });

  test('does nothing when switched off (REQ-HD-006.4)', () => {
    const history = [human('x', included('a.ts')), human(included('a.ts'))];
    expect(new HighDensityStrategy().optimize(history, ALL_OFF).replacements.size).toBe(0);
  });

  test('markers that do not pair leave the block unchanged (REQ-HD-006.5, BR-DEDUP-004, EC-020)', () => {
    const open = '--- a.ts ---\nmy own words';
    expect(optimize(human(open), human(included('a.ts'))).replacements.size).toBe(0);
  });

  test('a pair of markers that a person wrote counts as an inclusion, alone it does not (EC-023)', () => {
    expect(cut(`note\n--- a.ts ---\nmine\n--- End of content ---`)).toEqual(['note']);
    expect(cut('note\n--- a.ts ---\nmine')).toEqual(['note\n--- a.ts ---\nmine']);
  });

  test('only human messages are looked at', () => {
    const { replacements } = optimize(ai(included('a.ts')), tool(included('a.ts')), human(included('a.ts')));
    expect(replacements.size).toBe(0);
  });

  test('the latest is by message, then block, then offset (row 8)', () => {
    const { replacements } = optimize(
      human(`${included('a.ts', '1')}\n${included('a.ts', '2')}`, included('a.ts', '3')),
    );
    expect(replacements.get(0)).toEqual(human(included('a.ts', '3')));
    expect(optimize(human(`${included('a.ts', '1')}\n${included('a.ts', '2')}`)).replacements.get(0)).toEqual(
      human(included('a.ts', '2')),
    );
  });

  test('only the seam of a cut is tidied; kept inclusions and other blank lines are unchanged (row 9)', () => {
    const kept = included('b.ts', 'x\n\n\n\ny  ');
    expect(cut(`a\n\n\n\nb\n\n${included('a.ts')}\n\n\n${kept}\n\n\n\n${included('a.ts')}\nend\n\n\n!`)).toEqual([
      `a\n\n\n\nb\n\n${kept}\n\nend\n\n\n!`,
    ]);
    expect(cut(`a\r\n\r\n${included('a.ts')}\r\n\r\nb`)).toEqual(['a\r\n\r\nb']);
  });

  test('other fields of a block survive a cut, other blocks keep their identity (row 9)', () => {
    const marked: ContentBlock = { type: 'text', text: `x\n${included('a.ts')}`, providerMetadata: { cache: true } };
    const words = text('words');
    const { replacements } = optimize(human(marked, image, words), human(included('a.ts')));
    expect(replacements.get(0)!.blocks).toEqual([
      { type: 'text', text: 'x', providerMetadata: { cache: true } },
      image,
      words,
    ]);
    expect(replacements.get(0)!.blocks[2]).toBe(words);
  });

  test('a message with nothing else keeps one line naming the file (row 10)', () => {
    expect(cut(included('a.ts'))).toEqual(['[@a.ts: newer copy below]']);
    expect(cut('', `${included('a.ts')}\n${included('./a.ts')}`, image)).toEqual([
      '',
      '[@a.ts, @./a.ts: newer copy below]',
      image,
    ]);
  });

  test('an emptied block is removed when words are left elsewhere (row 10)', () => {
    expect(cut('words', included('a.ts'))).toEqual(['words']);
  });

  test('in the second shape header and body are removed, the frame is kept while it contains something (row 8)', () => {
    const spread = ['go', BANNER, '\nContent from @a.ts:\n', 'old', image, '\nContent from @b.ts:\n', 'b\n\n', END];
    expect(cut(...spread)).toEqual(['go', BANNER, '\nContent from @b.ts:\n', 'b\n\n', END]);
    expect(cut('go', BANNER, '\nContent from @b.ts:\n', 'b\n\n', '\nContent from @a.ts:\n', 'old\n', END)).toEqual([
      'go',
      BANNER,
      '\nContent from @b.ts:\n',
      'b\n\n',
      END,
    ]);
  });

  test('a frame that contains nothing any more is removed as a whole (row 8)', () => {
    expect(cut('go', BANNER, '\nContent from @a.ts:\n', 'old', END, 'bye')).toEqual(['go', 'bye']);
    expect(cut(BANNER, '\nContent from @a.ts:\n', 'old', END)).toEqual(['[@a.ts: newer copy below]']);
    expect(cut(`go\n${BANNER}\nContent from @a.ts:\nold${END}\nbye`)).toEqual(['go\n\nbye']);
    expect(cut(`go${BANNER}\nContent from @b.ts:\nb\n\nContent from @a.ts:\nold${END}`)).toEqual([
      `go${BANNER}\nContent from @b.ts:\nb\n\n--- End of content ---`,
    ]);
    expect(cut(`go${BANNER}\nmy note\nContent from @a.ts:\nold${END}`)).toEqual([`go${BANNER}\nmy note${END}`]);
  });

  test('the latest may be in the other shape', () => {
    const { replacements } = optimize(
      human('x', included('a.ts')),
      human('y', BANNER, 'Content from @a.ts:', 'new', END),
    );
    expect([...replacements]).toEqual([[0, human('x')]]);
  });

  test('a cut that would make another inclusion out of what is left is not made (law 3)', () => {
    const nested = `--- outer.ts ---\nmine\n${included('a.ts')}\nmine too\n--- End of content ---`;
    expect(cut(nested)).toEqual([nested]);
  });
});
