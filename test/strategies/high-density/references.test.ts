import { describe, expect, test } from 'vitest';
import type { IContent, ToolResponseBlock } from '../../../src/content/content.ts';
import { isPruned } from '../../../src/content/pruned-result.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import type { GivenDensityConfig } from '../../../src/strategies/settings/density-config.ts';
import { applied } from '../../contracts/strategy.ts';
import { ALL_OFF, exchange, human } from '../conversation.ts';

/** What the plugin leaves of a read that is repeated. */
const REFERENCE =
  '[density: word for word the result of the earlier Read /repo/a.ts, which is still above; full text: recall 07ff8c5d1eea, or density show 07ff8c5d1eea]';
/** The same in the form of all markers of lines. */
const LINES =
  '⟦density: 20 lines, 1 to 20, as shown above by Read a.ts, from "line 0 of the file" #k3x9qz; recall 07ff8c5d1eea⟧';
/** As Claude Code shows a file of one line, with a note of its own. */
const NUMBERED = `1\t${REFERENCE}\n\n<system-reminder>\nA note that is no line of the file.\n</system-reminder>\n`;
const FILE = Array.from({ length: 20 }, (_, at) => `line ${at} of the file`);

const read = (id: string, result: string, parameters: object = { file_path: 'a.ts' }): IContent[] =>
  exchange(id, 'read_file', parameters, { result });

/** The results after optimising, by call id. */
function resultsOf(history: readonly IContent[], config: Partial<GivenDensityConfig>): ReadonlyMap<string, unknown> {
  const pruned = applied(history, new HighDensityStrategy().optimize(history, { ...ALL_OFF, ...config }));
  return new Map(
    pruned
      .flatMap((entry) => entry.blocks)
      .filter((block): block is ToolResponseBlock => block.type === 'tool_response')
      .map(({ callId, result }) => [callId, result]),
  );
}

test('a reference to lines, as Claude Code shows it, is no newer text of the file', () => {
  const history = [human('go'), ...read('whole', FILE.join('\n')), ...read('again', `1\t${LINES}`)];
  const results = resultsOf(history, { readWritePruning: true, rules: { supersededReads: true } });
  expect([...results]).toEqual([
    ['whole', FILE.join('\n')],
    ['again', `1\t${LINES}`],
  ]);
});

describe.each([
  ['as earlier versions of the plugin wrote it', REFERENCE],
  ['as Claude Code shows it', NUMBERED],
])('a reference to an earlier result, %s', (_, reference) => {
  test('is no newer text of the file: the read that it names is kept', () => {
    const later = read('part', FILE.slice(0, 12).join('\n'), { file_path: 'a.ts', limit: 12 });
    const history = [human('go'), ...read('whole', FILE.join('\n')), ...later, ...read('again', reference)];
    const results = resultsOf(history, { readWritePruning: true, rules: { supersededReads: true } });
    expect(results.get('whole')).toBe(FILE.join('\n'));
    expect(results.get('again')).toBe(reference);
  });

  test('is not replaced by a marker that leads nowhere, and takes no place among the newest', () => {
    const runs = [...Array(4).keys()].flatMap((at) => read(`read ${at}`, `text ${at}`, { file_path: `${at}.ts` }));
    const history = [human('go'), ...read('again', reference), ...runs, ...read('more', reference)];
    const results = resultsOf(history, { recencyPruning: true });
    expect([results.get('again'), results.get('more')]).toEqual([reference, reference]);
    expect([...results.values()].filter((one) => String(one).startsWith('text'))).toHaveLength(3);
  });
});

test('a text that quotes a reference is none', () => {
  for (const result of [`${'x'.repeat(990)}${REFERENCE}`, `${FILE.join('\n')}\n[1] ${REFERENCE}`, { text: REFERENCE }])
    expect(isPruned(result)).toBe(false);
});
