import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/formats/claude-code/claude-code.ts';
import { liveHistory, type NewSession, type Session, type SessionFormat } from '../../src/formats/contract.ts';
import { convertSession, writableFormats } from '../../src/formats/convert.ts';
import { geminiCli } from '../../src/formats/gemini/gemini-cli.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { formatNamed, SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOf, linesOfText } from '../../src/formats/lines/lines.ts';
import type { Loss, LossKind } from '../../src/formats/losses/loss-kinds.ts';
import { lossesBetween } from '../../src/formats/losses/losses.ts';
import { openaiChat } from '../../src/formats/openai-chat/openai-chat.ts';
import { generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { RICH } from './rich-history.ts';
import { SAMPLES } from './samples.ts';

const MADE: NewSession = {
  id: '6f1c1f0e-3b0c-4c35-9d0a-0f7c2a4f9b11',
  model: 'model-x',
  workspaceRoot: '/repo/demo',
  systemText: 'You code.',
  startedAt: 1_750_000_000_000,
};

/** Generated entries have no times, and ids that few formats accept: what a format invents need not be kept. */
const MADE_UP: ReadonlySet<LossKind> = new Set(['entry-ids', 'timestamps']);

const sessionOf = (history: readonly IContent[], facts: Partial<Session> = {}): Session => ({
  format: 'high-density',
  events: history.map((content) => ({ kind: 'add', content })),
  skipped: [],
  ...facts,
});

const counts = (losses: readonly Loss[]): Partial<Record<LossKind, number>> =>
  Object.fromEntries(losses.map(({ kind, count }) => [kind, count]));

/** The session that is read from a new file of `target`. */
function through(session: Session, target: SessionFormat): Session {
  const { pieces } = convertSession(session, target, MADE);
  return target.read(linesOf(() => pieces));
}

test.each([claudeCode, highDensity])('an estimate of a prompt is one in a new file of $name too', (target) => {
  const reported = { promptTokens: 9_000, completionTokens: 20, totalTokens: 9_020, cachedTokens: 8_000 };
  const usage = { promptTokens: 4_000, completionTokens: 20, totalTokens: 4_020, cachedTokens: 0, reported };
  const history: IContent[] = [
    { speaker: 'human', blocks: [{ type: 'text', text: 'Look.' }] },
    { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }], metadata: { usage } },
  ];
  const [, answer] = liveHistory(through(sessionOf(history), target));
  expect(answer!.metadata!.usage).toEqual(usage);
});

describe('what is lost between two sessions', () => {
  test('is nothing if they are equal', () => {
    expect(lossesBetween(sessionOf(RICH), sessionOf(structuredClone(RICH)))).toEqual([]);
    expect(convertSession(sessionOf(RICH, MADE), highDensity, MADE).losses).toEqual([]);
  });

  test('has a kind, a count and its first entry', () => {
    const { losses } = convertSession(sessionOf(RICH, { ...MADE, model: 'model-y' }), openaiChat, MADE);
    expect(counts(losses)).toEqual({
      'session-id': 1,
      'session-model': 1,
      workspace: 1,
      'code-blocks': 1,
      'call-ids': 1,
      'pending-calls': 1,
      'result-structure': 1,
      errors: 1,
      'media-names': 1,
      thinking: 1,
      'entry-ids': 5,
      timestamps: 1,
      models: 1,
      usage: 1,
      'summary-marks': 1,
      'entry-fields': 1,
    });
    expect(losses.find(({ kind }) => kind === 'errors')).toEqual({ kind: 'errors', count: 1, first: 3 });
  });

  test('covers every kind of change in blocks', () => {
    const changed = (change: (history: IContent[]) => void): Partial<Record<LossKind, number>> => {
      const after = structuredClone(RICH) as IContent[];
      change(after);
      return counts(lossesBetween(sessionOf(RICH), sessionOf(after)));
    };
    const without = (entry: number, type: string) => (history: IContent[]) => {
      const found = history[entry]!;
      history[entry] = { ...found, blocks: found.blocks.filter((block) => block.type !== type) };
    };
    const over = (entry: number, type: string, fields: object) => (history: IContent[]) => {
      const found = history[entry]!;
      const blocks = found.blocks.map((block) => (block.type === type ? { ...block, ...fields } : block));
      history[entry] = { ...found, blocks };
    };
    expect(changed(without(0, 'text'))).toEqual({ words: 1 });
    expect(changed(without(0, 'media'))).toEqual({ media: 1 });
    expect(changed(without(0, 'code'))).toEqual({ words: 1 });
    expect(changed(without(1, 'thinking'))).toEqual({ thinking: 1 });
    expect(changed(without(1, 'tool_call'))).toEqual({ calls: 1 });
    expect(changed(without(2, 'tool_response'))).toMatchObject({ results: 1 });
    expect(changed(over(0, 'text', { text: 'Look' }))).toEqual({ words: 1 });
    expect(changed(over(1, 'thinking', { signature: 'x' }))).toEqual({ 'thinking-signatures': 1 });
    expect(changed(over(1, 'thinking', { sourceField: 'x' }))).toEqual({ 'block-fields': 1 });
    expect(changed(over(1, 'tool_call', { name: 'bash' }))).toEqual({ 'tool-names': 1 });
    expect(changed(over(1, 'tool_call', { parameters: {} }))).toEqual({ parameters: 1 });
    expect(changed(over(2, 'tool_response', { error: 'failed' }))).toEqual({ 'error-texts': 1 });
    expect(changed(over(2, 'tool_response', { result: '' }))).toEqual({ results: 1 });
    expect(changed(over(2, 'tool_response', { result: 'And: {"lines":2}' }))).toEqual({ 'result-structure': 1 });
  });

  test('reports results without a call that became text, joined entries, and changed speakers', () => {
    const orphan: IContent = {
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId: 'x', toolName: 'shell', result: 'lost and found' }],
    };
    const { losses } = convertSession(sessionOf([RICH[4]!, orphan]), openaiChat, MADE);
    expect(counts(losses)).toMatchObject({ 'orphan-results': 1 });
    const one = RICH[0]!;
    const two = RICH[4]!;
    const joined = [{ ...one, blocks: [...one.blocks, ...two.blocks], speaker: 'ai' as const }];
    expect(counts(lossesBetween(sessionOf([one, two]), sessionOf(joined)))).toMatchObject({ grouping: 2, speakers: 4 });
  });

  test('reports results in another order than their calls, if the target keeps results with calls', () => {
    const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'shell', parameters: { command: id } });
    const answered = (id: string): IContent => ({
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId: id, toolName: 'shell', result: `out of ${id}` }],
    });
    const history = [RICH[4]!, { speaker: 'ai' as const, blocks: ['a', 'b', 'c'].map(call) }];
    const disordered = sessionOf([...history, answered('c'), answered('a'), answered('b')]);
    const { losses } = convertSession(disordered, geminiCli, MADE);
    expect(losses).toContainEqual({ kind: 'order', count: 1, first: 3 });
    expect(counts(losses)).not.toHaveProperty('orphan-results');
    const inOrder = sessionOf([...history, answered('a'), answered('b'), answered('c')]);
    expect(counts(convertSession(inOrder, geminiCli, MADE).losses)).not.toHaveProperty('order');
  });

  test('counts what was compacted away, and lines that could not be read', () => {
    const session: Session = {
      ...sessionOf(RICH.slice(0, 3)),
      events: [...sessionOf(RICH).events, { kind: 'replace', contents: [RICH[4]!] }],
      skipped: [{ line: 7, reason: 'not valid JSON' }],
    };
    expect(counts(convertSession(session, highDensity, MADE).losses)).toEqual({
      'earlier-history': 4,
      'skipped-lines': 1,
    });
  });

  test('is found in its place also when the same words are repeated', () => {
    const words = (...texts: string[]): Session =>
      sessionOf(texts.map((text) => ({ speaker: 'human', blocks: [{ type: 'text', text }] })));
    expect(lossesBetween(words('ok', 'a', 'b', 'ok'), words('OK', 'a', 'b', 'ok'))).toEqual([
      { kind: 'words', count: 1, first: 1 },
    ]);
    expect(lossesBetween(words('ok', 'a', 'ok', 'c'), words('ok', 'ok', 'c'))).toEqual([
      { kind: 'words', count: 1, first: 2 },
    ]);
  });
});

describe('converting', () => {
  test('refuses a format that is read-only, and names those that are not', () => {
    for (const format of SESSION_FORMATS.filter(({ create }) => create === undefined)) {
      expect(() => convertSession(sessionOf(RICH), format, MADE)).toThrow(/Expected .*claude-code.*read-only/);
    }
  });

  const pairs = SESSION_FORMATS.flatMap((from) => writableFormats().map((to) => [from, to] as const));

  test.each(pairs.map(([from, to]) => [from.name, to.name, from, to] as const))(
    'takes the words, calls and results of every sample of %s over to %s',
    (name, _, from, to) => {
      for (const text of SAMPLES[name]?.texts ?? []) {
        const { losses } = convertSession(from.read(linesOfText(text)), to, MADE);
        expect(losses.filter(({ kind }) => ['words', 'calls', 'results'].includes(kind))).toEqual([]);
      }
    },
  );

  /** What a session of `from` loses on the way to `to` and back, besides what `to` cannot contain. */
  const lostOnTheWayBack = (history: readonly IContent[], from: SessionFormat, to: SessionFormat): string[] => {
    const start = through(sessionOf(history, MADE), from);
    const between = through(start, to);
    const back = through(between, from);
    const lostThere = counts(lossesBetween(start, between));
    return lossesBetween(start, back).flatMap(({ kind, count }) =>
      MADE_UP.has(kind) || count <= (lostThere[kind] ?? 0) ? [] : `${kind}: ${count} of ${JSON.stringify(lostThere)}`,
    );
  };

  test('and back shows a format that loses what it can contain', () => {
    const forgetful: SessionFormat = {
      ...highDensity,
      *create(history, session) {
        // It forgets the errors of what another format made.
        const forgotten = history.map((entry) => ({
          ...entry,
          blocks: entry.blocks.map((block) => {
            if (block.type !== 'tool_response' || entry.metadata?.['turnId'] === 't1') return block;
            const { error: _error, ...rest } = block;
            return rest;
          }),
        }));
        yield* highDensity.create!(forgotten, session);
      },
    };
    expect(lostOnTheWayBack(RICH, highDensity, highDensity)).toEqual([]);
    expect(lostOnTheWayBack(RICH, forgetful, formatNamed('anthropic-messages'))).not.toEqual([]);
  });

  const created = writableFormats().flatMap((from) => writableFormats().map((to) => [from, to] as const));

  test.each(created.map(([from, to]) => [from.name, to.name, from, to] as const))(
    '%s → %s and back keeps everything that the format between can contain',
    (_, __, from, to) => {
      fc.assert(
        fc.property(generatedHistory(), (history) => {
          if (history.length === 0) return;
          expect(lostOnTheWayBack(history, from, to)).toEqual([]);
        }),
        { numRuns: runs(10) },
      );
    },
  );
});
