import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../../src/content/content.ts';
import { cacheRuleOf } from '../../../../src/economics/cache-rules.ts';
import { configAt } from '../../../../src/pruning/pruning-decision.ts';
import type { DensityConfig } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { completeDensityConfig } from '../../../../src/strategies/settings/density-config.ts';
import { runs } from '../../../property-runs.ts';

const HOURS_MS = 3 * 60 * 60_000;
const says = (text: string): ContentBlock => ({ type: 'text', text });
const thinks = (thought: string): ContentBlock => ({ type: 'thinking', thought, signature: 'c2ln' });
const calls = (id: string): ContentBlock => ({ type: 'tool_call', id, name: 'run_shell_command', parameters: {} });
const human = (text: string): IContent => ({ speaker: 'human', blocks: [says(text)] });
const ai = (...blocks: ContentBlock[]): IContent => ({ speaker: 'ai', blocks });
const answers = (callId: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'run_shell_command', result: 'ok' }],
});

/** A turn of a call and an answer, both with thinking. */
const turn = (name: string): IContent[] => [
  human(`please ${name}`),
  ai(thinks(`first of ${name}`), calls(name)),
  answers(name),
  ai(thinks(`last of ${name}`), says(`done ${name}`)),
];

const CONFIG = completeDensityConfig({
  readWritePruning: false,
  fileDedupe: false,
  recencyPruning: false,
  rules: { thinkingCalls: 2 },
});
const COLD: DensityConfig = { ...CONFIG, isCold: true, canOmitThinking: true };

/** The history as a run leaves it. */
function left(history: readonly IContent[], config = COLD): readonly IContent[] {
  const { removals, replacements } = new HighDensityStrategy().optimize(history, config);
  expect(removals).toEqual([]);
  return history.map((entry, at) => replacements.get(at) ?? entry);
}

const thoughtsIn = (history: readonly IContent[]): string[] =>
  history.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'thinking' ? block.thought : [])));

describe('old thinking', () => {
  test('of earlier turns is left out once it was sent often enough', () => {
    const history = [...turn('a'), ...turn('b'), human('go on')];
    expect(thoughtsIn(left(history))).toEqual(['first of b', 'last of b']);
    expect(left(history)[1]!.blocks).toEqual([calls('a')]);
  });

  test('stays where the cache is warm, where the model does not allow it, and where the rule is off', () => {
    const history = [...turn('a'), ...turn('b'), human('go on')];
    for (const config of [
      CONFIG,
      { ...COLD, canOmitThinking: false },
      { ...COLD, rules: { ...COLD.rules!, thinkingCalls: 0 } },
    ])
      expect(left(history, config)).toEqual(history);
  });

  test('of the running turn stays, however long it is, and whatever is said beside its results', () => {
    const running = [human('work'), ...['a', 'b', 'c', 'd'].flatMap((id) => [ai(thinks(id), calls(id)), answers(id)])];
    expect(left([...turn('z'), ...running]).slice(4)).toEqual(running);
    const beside = [...running, human('a reminder'), ai(thinks('e'), calls('e')), answers('e')];
    expect(left(beside)).toEqual(beside);
    expect(left([...running, human('go on')])).toEqual([...running, human('go on')]);
  });

  test('goes with all of its answer, which keeps it if nothing else would be left', () => {
    const between = ai(thinks('one'), says('so'), thinks('two'), calls('x'));
    const alone = ai(thinks('alone'), says(' \n'));
    const kept = left([human('go'), between, answers('x'), alone, ...turn('b'), human('on')]);
    expect(kept[1]!.blocks).toEqual([says('so'), calls('x')]);
    expect(kept[3]).toEqual(alone);
  });

  test('an answer without it is not as long as its provider said, which is kept', () => {
    const usage = { promptTokens: 10, completionTokens: 500, totalTokens: 510 };
    const [start, first, ...rest] = turn('a');
    const history = [start!, { ...first!, metadata: { usage } }, ...rest, ...turn('b'), human('on')];
    expect(left(history)[1]!.metadata).toEqual({ usage: { ...usage, completionTokens: 0, reported: usage } });
  });
});

const step = fc.constantFrom('person', 'call', 'silent call', 'answer', 'only thinking', 'beside');

/** A conversation of these steps, each of which leaves it whole. */
function conversation(steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[]): IContent[] {
  const one = (kind: (typeof steps)[number], at: number): IContent[] => {
    const id = `c${at}`;
    switch (kind) {
      case 'person':
        return [human(`words ${at}`)];
      case 'call':
        return [ai(thinks(`call ${at}`), says('so'), thinks(`more ${at}`), calls(id)), answers(id)];
      case 'silent call':
        return [ai(calls(id)), answers(id)];
      case 'answer':
        return [ai(thinks(`answer ${at}`), says(`answer ${at}`))];
      case 'only thinking':
        return [ai(thinks(`alone ${at}`))];
      case 'beside':
        return [ai(thinks(`call ${at}`), calls(id)), answers(id), human('beside a result')];
    }
  };
  return steps.flatMap(one);
}

test('laws: only thinking goes, twice is once, and a history that grew is as one that is seen at once', () => {
  let omitted = 0;
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(step, { maxLength: 30 }),
      fc.nat(4),
      (start, more, calls) => {
        const config = { ...COLD, rules: { ...COLD.rules!, thinkingCalls: calls } };
        const history = conversation([...start, ...more]);
        const once = left(history, config);
        const isKept = ({ type }: ContentBlock): boolean => type !== 'thinking';
        expect(once.map(({ blocks }) => blocks.filter(isKept))).toEqual(
          history.map(({ blocks }) => blocks.filter(isKept)),
        );
        expect(once.every(({ blocks }) => blocks.length > 0)).toBe(true);
        expect(left(once, config)).toEqual(once);
        const strategy = new HighDensityStrategy();
        strategy.optimize(history.slice(0, conversation(start).length), config);
        expect(strategy.optimize(history, config)).toEqual(new HighDensityStrategy().optimize(history, config));
        omitted += thoughtsIn(history).length - thoughtsIn(once).length;
      },
    ),
  );
  expect(omitted).toBeGreaterThan(runs(50));
});

describe('the configuration before a send', () => {
  const cold = { sentEntries: 3, idleMs: HOURS_MS };
  const omits = (model: string, more = {}): boolean =>
    configAt(CONFIG, cold, { model, ...more }).canOmitThinking === true;

  test.each([
    'claude-opus-4-5',
    'claude-opus-4-6',
    'claude-opus-4-8',
    'claude-opus-5',
    'claude-sonnet-4-6',
    'claude-sonnet-5',
  ])('%s reads all thinking again, and it may be left out', (model) => {
    expect(omits(model)).toBe(true);
    expect(omits(model, { bindsThinking: true })).toBe(false);
    expect(configAt(CONFIG, { ...cold, idleMs: 1 }, { model })).toBe(CONFIG);
  });

  test.each([
    'claude-opus-5-5',
    'claude-fable-5-1',
    'claude-sonnet-4-5',
    'claude-haiku-4-5',
    'claude-opus-4-1',
    'gpt-5.6',
    'gemini-3.1-pro-preview',
    'nobody-9',
  ])('of %s it stays', (model) => {
    expect(omits(model)).toBe(false);
    expect(cacheRuleOf(model).canOmitThinking).toBe(false);
  });
});
