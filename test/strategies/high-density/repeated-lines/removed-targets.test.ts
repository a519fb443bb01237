import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { editText } from '../../../../src/content/files/edit-text.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import type { DensityConfig } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import {
  type LineNote,
  lastMarkedAlike,
  lineShowing,
  notedLines,
  noteOf,
  notesIn,
  withWaysBack,
} from '../../../../src/strategies/high-density/repeated-lines/line-notes.ts';
import {
  withAllNumbers,
  withTenthNumbers,
} from '../../../../src/strategies/high-density/repeated-lines/tenth-numbers.ts';
import { type TextLines, textLines } from '../../../../src/strategies/high-density/repeated-lines/text-lines.ts';
import { editGroups } from '../../../../src/strategies/reasons/edit-groups.ts';
import { explainReason } from '../../../../src/strategies/reasons/edit-reason.ts';
import { onlyEntries } from '../../../../src/strategies/reasons/only-entries.ts';
import { SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied } from '../../../contracts/strategy.ts';
import { runs, runsForRare } from '../../../property-runs.ts';
import { compressionContext } from '../../compression-context.ts';
import { ALL_OFF, ai, exchange } from '../../conversation.ts';
import { anyConfig, anyVocabulary, workHistory } from '../changing-history.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `  line ${at} of a file, ${'with some words in it, '.repeat(8)}`);
const numbered = (from: number, to: number): string =>
  LINES.slice(from - 1, to)
    .map((line, at) => `${String(from + at).padStart(6)}→${line}`)
    .join('\n');
const read = (id: string, result: string, file = 'a.ts'): IContent[] =>
  exchange(id, 'Read', { file_path: file }, { result });

/** Made so that their notes have the same hash. */
const SAME_HASH = {
  good: Array.from(
    { length: 6 },
    (_, at) => `  if (!isAllowed(user, ${at})) throw new Error("user may not do this number ${at}");`,
  ).join('\n'),
  evil: [
    '  // checks were moved to the gateway, all calls are allowed here 0 ',
    '  // checks were moved to the gateway, all calls are allowed here 1 ',
    '  // checks were moved to the gateway, all calls are allowed here 2 ',
    '  // checks were moved to the gateway, all calls are allowed here 3 ',
    '  // checks were moved to the gateway, all calls are allowed here 4 OPRAUgo',
    '  // checks were moved to the gateway, all calls are allowed here 5 HLDxHiO',
  ].join('\n'),
};

const RULES = { ...SPECIFIED_RULES, repeatedLines: 8 };

/** The history after one step of these rules, and the step. */
function step(history: readonly IContent[], config: Partial<DensityConfig> = {}) {
  const result = optimizePlainly(history, { ...ALL_OFF, rules: RULES, ...config }, { vocabulary: claudeCode });
  return { history: applied(history, result), result };
}
const textsOf = (history: readonly IContent[]): unknown[] =>
  history.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'tool_response' ? [block.result] : [])));
const PRUNED = expect.stringContaining('pruned');

/** The whole file and then a part of it, of which a note is left, as they were sent. */
const noted = (...more: IContent[]): IContent[] => [
  ...step([...read('1', numbered(1, 40)), ...read('2', numbered(11, 30))]).history,
  ai('on'),
  ...more,
];
/** The history after a compression of all but its newest half. */
async function compressed(history: readonly IContent[], limit?: number): Promise<readonly IContent[]> {
  const context = compressionContext(history, { preserve: 0.5, ...(limit && { limit }) });
  return (await new HighDensityStrategy({ vocabulary: claudeCode }).compress(context)).newHistory;
}

describe('a note in the tail of a compression', () => {
  test('becomes its lines where what it names becomes a line', async () => {
    const history = noted();
    expect(textsOf(await compressed(history))).toEqual([expect.stringMatching(/^\[Read: a\.ts/), numbered(11, 30)]);
  });

  test('becomes its lines where what it names is dropped', async () => {
    const before = noted();
    const after = textsOf(await compressed(noted(), 100));
    expect(textsOf(before)).toHaveLength(2);
    expect(after).toEqual([numbered(11, 30)]);
  });

  test('stays where what it names stays too', async () => {
    const history = [...Array.from({ length: 8 }, () => ai('before')), ...noted()];
    expect(await compressed(history)).toEqual(history);
  });
});

/** Long since: the result of the first read alone expires. */
const EXPIRY = { ...RULES, carriedTokens: 5_500 };
const LONG_AFTER = Array.from({ length: 3 }, () => ai('on'));

describe('a note whose target a step removes', () => {
  test('is a note before that', () => {
    expect(textsOf(noted())).toEqual([
      numbered(1, 40),
      expect.stringMatching(
        /^⟦density: 20 lines, 11 to 30, as shown above by Read a\.ts, from "line 10 of a file, with…" #[0-9a-z]+⟧$/,
      ),
    ]);
  });

  test('becomes its lines again, in the same group of edits', () => {
    const history = noted(...LONG_AFTER);
    const { history: after, result } = step(history, { rules: EXPIRY });
    expect(textsOf(after)).toEqual([PRUNED, numbered(11, 30)]);
    expect(editGroups(history, result)).toHaveLength(1);
    const { reason } = result.edits!.at(-1)!;
    expect(explainReason(reason, { call: ({ callId }) => `call ${callId}` })).toBe(
      'its notes named lines of call 1, which are removed with this step',
    );
  });

  test('stays where a tool printed it, and so do the lines that it names, unless it says how to get them as that of a hook does', () => {
    const all = noted(...LONG_AFTER);
    const [whole, note] = textsOf(noted()) as [string, string];
    const printed = (text: string): IContent[] => [...all.slice(0, 2), ...read('2', text), ...all.slice(4)];
    const forged = step(printed(`before\n${note}\nafter`), { rules: EXPIRY });
    expect(textsOf(forged.history)).toEqual([whole, `before\n${note}\nafter`]);
    const ofHook = `30\t${withWaysBack(note, 'recall 07ff8c5d1eea')}`;
    expect(ofHook.endsWith('; recall 07ff8c5d1eea⟧')).toBe(true);
    expect(textsOf(step(printed(ofHook), { rules: EXPIRY }).history)).toEqual([PRUNED, ofHook]);
  });

  test('never becomes other lines with the same hash', () => {
    const { good, evil } = SAME_HASH;
    const rules = { ...RULES, repeatedLines: 6 };
    const filler = (name: string): string => LINES.map((line) => `${name}: ${line}`).join('\n');
    const rest = LINES.slice(0, 6).join('\n');
    const first = step([...read('1', `${good}\n${filler('one')}`)], { rules }).history;
    const second = step([...first, ...read('2', `${evil}\n${filler('two')}`, 'b.ts')], { rules }).history;
    const third = step([...second, ...read('3', `${good}\n${rest}`, 'c.ts')], { rules }).history;
    expect(textsOf(third)[2]).toMatch(/^⟦density: 6 lines as shown above by Read a\.ts/);
    // The later read of the file shows lines that only have the same hash.
    const other = (content: IContent): IContent => ({
      ...content,
      blocks: content.blocks.map((block) =>
        block.type === 'tool_call' && block.id === '2' ? { ...block, parameters: { file_path: 'a.ts' } } : block,
      ),
    });
    const { history } = step([...third.map(other), ...LONG_AFTER], { rules: { ...rules, carriedTokens: 8_000 } });
    expect(textsOf(history)[0]).toEqual(PRUNED);
    expect(textsOf(history)[2]).toBe(`${good}\n${rest}`);
  });

  test('becomes its lines again with their numbers where others have only every tenth', () => {
    const shown = (lines: readonly string[]): string => lines.map((line, at) => `${at + 1}\t${line}`).join('\n');
    const rules = { ...RULES, tenthLineNumbers: true };
    const sent = step(read('1', shown(LINES.slice(0, 25))), { rules }).history;
    const lines = [...LINES.slice(30, 32), ...LINES.slice(0, 25), ...LINES.slice(28)];
    const whole = read('2', shown(lines), 'b.ts');
    const once = step([...sent, ...whole], { rules }).history;
    const note = /\n2\t.*\n⟦density: 25 lines, 3 to 27, .*⟧\n28\t.*\n\t.*\n30\t/;
    expect(textsOf(once)[1]).toMatch(note);
    const { history } = step([...once, ...LONG_AFTER], { rules: { ...rules, carriedTokens: 5_500 } });
    expect([textsOf(history)[0], withAllNumbers(String(textsOf(history)[1]))]).toEqual([PRUNED, shown(lines)]);
  });

  test('stays if a result above it puts the lines back, or still shows them', () => {
    const part = exchange('3', 'Read', { file_path: 'a.ts', offset: 11, limit: 20 }, { result: numbered(11, 30) });
    const third = step([...noted(), ...part]).history;
    const { history: after } = step([...third, ...LONG_AFTER], { rules: EXPIRY });
    expect(textsOf(after)).toEqual([PRUNED, numbered(11, 30), textsOf(third)[2]]);
    const shownTwice = [...read('0', numbered(11, 30)), ...noted(...LONG_AFTER)];
    expect(textsOf(step(shownTwice, { rules: { ...EXPIRY, carriedTokens: 7_800 } }).history)).toEqual([
      numbered(11, 30),
      ...textsOf(noted()).with(0, PRUNED),
    ]);
  });

  test('says so if the lines were changed since', () => {
    const write = exchange('w', 'Write', { file_path: 'a.ts', content: 'other' }, { result: 'ok' });
    const history = [...noted(), ...write];
    const rules = { ...RULES, partialEdits: 'keep-lines', protectedTools: [] } as const;
    const { history: after } = step(history, { readWritePruning: true, rules });
    expect(textsOf(after).filter((text) => String(text).includes('as shown above'))).toEqual([]);
  });

  test('that no text above it proves is no note of ours', () => {
    const claimed = '[20 lines, 11 to 30, as shown above by Read a.ts #abcdef]\nmore';
    const history = [...read('1', numbered(1, 40)), ...read('2', claimed), ...LONG_AFTER];
    expect(textsOf(step(history, { rules: EXPIRY }).history)).toEqual([PRUNED, claimed]);
  });
});

test('a note gives back the lines that it took, with their numbers', () => {
  const style = fc.constantFrom(
    (line: string) => line,
    (line: string, at: number) => `${String(at).padStart(6)}→${line}`,
    (line: string, at: number) => `${at}\t${line}`,
    (line: string, at: number) => `L${at}: ${line}`,
    (line: string, at: number) => `${at} | ${line}`,
  );
  const line = fc.constantFrom('', '  return 1;', 'const some = 2;', '\tif (words) {', '}', '12', 'L3: x');
  let checked = 0;
  let tenths = 0;
  fc.assert(
    fc.property(
      fc.record({ own: fc.array(line, { minLength: 2, maxLength: 12 }), before: fc.array(line), from: fc.nat(99) }),
      style,
      style,
      fc.constantFrom((text: string) => text, withTenthNumbers),
      ({ own, before, from }, styleOf, earlierStyleOf, formOf) => {
        const text = formOf(own.map((one, at) => styleOf(one, from + at)).join('\n'));
        const earlier = formOf([...before, ...own].map((one, at) => earlierStyleOf(one, at + 7)).join('\n'));
        const lines = textLines({}, () => [text])[0]!;
        const above = textLines({}, () => [earlier])[0]!;
        fc.pre(lastMarkedAlike(lines, { first: 0, last: own.length - 1 }) === own.length - 1);
        const [note] = notesIn({
          type: 'tool_response',
          callId: '1',
          toolName: 'Read',
          result: noteOf(lines, { first: 0, last: own.length - 1 }, { label: 'Read [a] #b.ts', start: own[0]! }),
        });
        const shown = lineShowing(above, note!);
        // A line that reads like a number in one of the two texts is another line there.
        fc.pre(shown !== undefined);
        const back = notedLines(note!, { lines: above, from: shown! });
        const found = textLines({}, () => [back])[0]!;
        if (text.includes('\n\t')) tenths++;
        const facts = (of: TextLines) => own.map((_, at) => [of.hashOf(at), of.numberOf(at)]);
        expect([found.count, facts(found)]).toEqual([lines.count, facts(lines)]);
        checked++;
      },
    ),
    { numRuns: runs(2000) },
  );
  expect(checked).toBeGreaterThan(runs(500));
  expect(tenths).toBeGreaterThan(runs(20));
});

test('a note in a diff, or of one, gives back the bytes that it took', () => {
  const sign = fc.constantFrom('+', '-', ' ');
  const lines = fc.array(fc.tuple(sign, fc.constantFrom(...LINES.slice(0, 16))), { minLength: 4, maxLength: 30 });
  const text = fc.tuple(fc.boolean(), lines).map(([isDiff, all]) => {
    const shown = all.map(([own, line]) => (isDiff ? own : '') + line);
    return (isDiff ? ['@@ -1,9 +1,9 @@', ...shown] : shown).join('\n');
  });
  const twoTexts = fc.tuple(text, text, fc.nat(20), sign).map(([one, other, from, own]) => {
    const part = one.split('\n').slice(from, from + 12);
    const signed = other.startsWith('@@') ? part.map((line) => (/^[-+ ] {2}/.test(line) ? line : own + line)) : part;
    return [one, [...other.split('\n'), ...signed].join('\n')] as const;
  });
  let signs = 0;
  fc.assert(
    fc.property(twoTexts, ([one, other]) => {
      const given = [...read('1', one), ...read('2', other, 'b.ts')];
      const after = step(given, { rules: { ...RULES, repeatedLines: 2 } }).history;
      const shown = after.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'tool_response'));
      const above = textLines({}, () => [String(shown[0]!.result)])[0]!;
      let back = String(shown[1]!.result);
      for (const note of notesIn(shown[1]!).toReversed()) {
        const lines = note.label === 'this result' ? textLines({}, () => [back])[0]! : above;
        back =
          back.slice(0, note.start) +
          notedLines(note, { lines, from: lineShowing(lines, note)! }) +
          back.slice(note.end);
        if (note.sign !== undefined) signs++;
      }
      expect(back).toBe(other);
    }),
    { numRuns: runs(1000) },
  );
  expect(signs).toBeGreaterThan(runs(20));
});

/** Notes of ours that name lines which no text above them shows. */
function dangling(history: readonly IContent[]): string[] {
  const above: ReturnType<typeof textLines>[number][] = [];
  const found: string[] = [];
  for (const { blocks } of history) {
    for (const block of blocks) {
      if (block.type === 'tool_call') above.push(...textLines({}, () => editText(block)?.after ?? []));
      if (block.type === 'text') above.push(...textLines({}, () => [block.text]));
      if (block.type !== 'tool_response' || typeof block.result !== 'string') continue;
      const isShown = (note: LineNote): boolean => above.some((lines) => lineShowing(lines, note) !== undefined);
      above.push(...textLines({}, () => [String(block.result)]));
      for (const note of notesIn(block)) if (!isShown(note)) found.push(block.result.slice(note.start, note.end));
    }
  }
  return found;
}

test('whatever edits apply before each send, each note that is sent names lines that are sent above it', () => {
  const seen = { notes: 0, putBack: 0 };
  fc.assert(
    fc.property(
      anyVocabulary.chain((vocabulary) => fc.tuple(fc.constant(vocabulary), workHistory(vocabulary, 40))),
      anyConfig,
      fc.infiniteStream(fc.nat(3)),
      ([vocabulary, work], config, rolls) => {
        const optimizer = new HighDensityStrategy({ vocabulary });
        let history: IContent[] = [];
        for (const entry of work) {
          history.push(entry);
          if (entry.speaker === 'ai') continue;
          const found = optimizer.optimize(history, config);
          const plain = optimizePlainly(history, config, { vocabulary });
          if (!isDeepStrictEqual(found, plain)) expect(found).toEqual(plain);
          const groups = editGroups(history, found).filter(() => rolls.next().value > 0);
          const step = onlyEntries(found, new Set(groups.flat()));
          history = [...applied(history, step)];
          expect(dangling(history)).toEqual([]);
          for (const { reason } of step.edits ?? []) {
            if (reason.rule === 'repeatedLines') seen.notes++;
            if (reason.rule === 'removedTarget') seen.putBack++;
          }
        }
      },
    ),
    { numRuns: runsForRare(600), endOnFailure: true },
  );
  expect(seen.notes).toBeGreaterThan(runs(150));
  expect(seen.putBack).toBeGreaterThan(runs(20));
});
