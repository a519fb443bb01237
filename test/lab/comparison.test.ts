import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { compareProfiles } from '../../src/lab/comparison.ts';
import { type ComparedProfile, NO_PRUNING } from '../../src/lab/policy.ts';
import type { ProfileOutcome } from '../../src/lab/policy-outcome.ts';
import { needsOf } from '../../src/needs/needs.ts';
import { SessionIndex } from '../../src/needs/session-index.ts';
import { replaySession } from '../../src/replay/replay.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { ai, exchange, human } from '../strategies/conversation.ts';
import { compared, edit, read, SOURCE, sessionOf } from './fixture.ts';

const SPECIFICATION: ComparedProfile = { name: 'specification', settings: {} };
const RECENCY: ComparedProfile = {
  name: 'recency',
  settings: {
    'compression.density.readWritePruning': false,
    'compression.density.recencyPruning': true,
    'compression.density.recencyRetention': 1,
  },
};

type Parts = readonly (IContent | readonly IContent[])[];

async function regretsOf(policy: ComparedProfile, ...parts: Parts): Promise<ProfileOutcome['regrets']> {
  const [outcome] = await compareProfiles(compared(...parts), [policy]);
  return outcome!.regrets;
}

const FIRST = ['  return computeTheFirst();', '  return computeTheOther();'] as const;
const SECOND = ['  return computeTheSecond();', '  return computeTheLast();'] as const;

describe('regrets', () => {
  test('an edit of text that only the pruned read showed is one, with rule, turns and tool', async () => {
    const found = await regretsOf(SPECIFICATION, human('go'), read('r'), edit('e1', ...FIRST), edit('e2', ...SECOND));
    expect(found).toEqual([
      {
        kind: 'edit',
        certainty: 'exact',
        rule: 'staleRead',
        removedAtTurn: 3,
        turn: 3,
        event: 5,
        block: 0,
        tool: 'Edit',
        removedTool: 'Read',
        tokens: expect.any(Number),
        missingRatio: 1,
      },
    ]);
    expect(found[0]!.tokens).toBeGreaterThan(20);
  });

  test('is none where nothing was pruned, where the line is shown again, or where it never was shown', async () => {
    const parts = [human('go'), read('r'), edit('e1', ...FIRST)];
    expect(await regretsOf(NO_PRUNING, ...parts, edit('e2', ...SECOND))).toEqual([]);
    expect(
      await regretsOf(SPECIFICATION, ...parts, read('r2', SOURCE.replace(...FIRST)), edit('e2', ...SECOND)),
    ).toEqual([]);
    expect(await regretsOf(SPECIFICATION, ...parts, edit('e2', 'a line from nowhere', 'x'))).toEqual([]);
  });

  test('is none for an edit that failed', async () => {
    const failed = exchange(
      'e2',
      'Edit',
      { file_path: '/repo/a.ts', old_string: SECOND[0], new_string: 'x' },
      { error: 'no' },
    );
    expect(await regretsOf(SPECIFICATION, human('go'), read('r'), edit('e1', ...FIRST), failed)).toEqual([]);
  });

  test('a part of a line is found in the line that contained it', async () => {
    const found = await regretsOf(
      SPECIFICATION,
      human('go'),
      read('r'),
      edit('e1', ...FIRST),
      edit('e2', 'computeTheSecond', 'computeTheLast'),
    );
    expect(found.map(({ kind, turn }) => [kind, turn])).toEqual([['edit', 3]]);
  });

  test('a quotation of a removed line is one, likely for one line and exact for several', async () => {
    const parts = [human('go'), read('r'), edit('e1', ...FIRST)];
    const quote = (words: string) => regretsOf(SPECIFICATION, ...parts, ai('on'), ai(`See:\n${words}`));
    expect((await quote('export function secondOfThem(): number {')).map(({ certainty }) => certainty)).toEqual([
      'likely',
    ]);
    expect((await quote(SOURCE)).map(({ kind, certainty }) => [kind, certainty])).toEqual([['quotation', 'exact']]);
    expect(await quote('nothing that stood there')).toEqual([]);
  });

  test('the same call again with the same result is one where its result was pruned and had not changed', async () => {
    const grep = (id: string, pattern: string) =>
      exchange(id, 'Grep', { pattern }, { result: `src/found.ts:12: the only ${pattern} there is` });
    const again = await regretsOf(
      RECENCY,
      human('go'),
      grep('1', 'apple'),
      grep('2', 'pear'),
      ai('on'),
      grep('3', 'apple'),
    );
    expect(again.map(({ kind, rule, certainty }) => [kind, rule, certainty])).toEqual([['rerun', 'recency', 'likely']]);
    const other = await regretsOf(
      RECENCY,
      human('go'),
      grep('1', 'apple'),
      grep('2', 'pear'),
      ai('on'),
      grep('3', 'fig'),
    );
    expect(other).toEqual([]);
  });

  test('a name that then appears from nowhere is likely one', async () => {
    const grep = (id: string, result: string) => exchange(id, 'Grep', { pattern: id }, { result });
    const found = await regretsOf(
      RECENCY,
      human('go'),
      grep('1', 'deep/down/in/theFolder.ts'),
      grep('2', 'none'),
      ai('on'),
      exchange('3', 'Read', { file_path: 'deep/down/in/theFolder.ts' }),
    );
    expect(found.map(({ kind, tool }) => [kind, tool])).toEqual([['name', 'Read']]);
  });

  test('what the recorded agent itself took away is nobody else’s', async () => {
    const session = sessionOf(human('go'), read('r'), edit('e1', ...FIRST));
    const cleared = { kind: 'replace', contents: [] } as const;
    const last = sessionOf(edit('e2', ...SECOND)).events.map((event) =>
      event.kind === 'add' ? { ...event, content: { ...event.content, metadata: { id: 'last' } } } : event,
    );
    const events = [...session.events, cleared, ...last];
    const played = { ...session, events };
    expect(needsOf(played, new SessionIndex(played)).filter(({ event }) => event > 5)).toEqual([]);
  });
});

describe('a comparison', () => {
  const parts: Parts = [
    human('go'),
    ...Array.from({ length: 12 }, (_, at) => [
      ...read(`r${at}`, `${SOURCE}\n// ${at} ${'many words '.repeat(80)}`),
      ai('I have read it.'),
      ...edit(`e${at}`, '  return computeTheFirst();', `  return computeThe${at}();`),
    ]),
    ai('done'),
  ];

  test('counts what each policy sends, takes away and costs, the unpruned one most tokens', async () => {
    const [none, specification] = await compareProfiles(compared(...parts), [NO_PRUNING, SPECIFICATION]);
    expect(none).toMatchObject({
      policy: 'no-pruning',
      calls: 37,
      compressions: 0,
      optimizations: 0,
      evidencedEdits: 12,
    });
    expect(specification!.tokensSent).toBeLessThan(none!.tokensSent);
    expect(specification!.removedTokens.staleRead).toBeGreaterThan(1000);
    expect(specification!.bill.promptTokens).toBeLessThan(none!.bill.promptTokens);
    expect(specification!.bill.rebilledTokens).toBeGreaterThan(none!.bill.rebilledTokens);
    expect(none!.bill.promptTokens).toBe(none!.bill.cachedTokens + none!.bill.writtenTokens);
  });

  test('counts each call, edit and removal of a fork once: in the session that made it', async () => {
    const parent = [human('go'), read('r'), edit('e1', ...FIRST), edit('e2', ...SECOND)];
    const whole = compared(...parent, human('on'), read('r2'), edit('e3', ...FIRST), ai('done'));
    const copied = [[0, parent.flat().length]] as const;
    const fork = { ...whole, session: { ...whole.session, copied } };
    const policies = [NO_PRUNING, SPECIFICATION];
    const [all, made, own] = await Promise.all(
      [whole, compared(...parent), fork].map((session) => compareProfiles(session, policies)),
    );
    for (const at of policies.keys()) {
      for (const figure of ['calls', 'tokensSent', 'optimizations', 'evidencedEdits'] as const)
        expect(own![at]![figure] + made![at]![figure]).toBe(all![at]![figure]);
      expect(own![at]!.bill.dollars + made![at]!.bill.dollars).toBeCloseTo(all![at]!.bill.dollars, 10);
      expect([...made![at]!.regrets, ...own![at]!.regrets]).toEqual(all![at]!.regrets);
    }
    expect(made![1]!.regrets).toHaveLength(1);
  });

  test.each([
    ['specification', {}],
    ['small window', { 'context-limit': 3000 }],
    ['quiet', { 'compression.density.quietCalls': 2 }],
    ['when it pays', { 'compression.density.timing': 'when-it-pays' as const }],
  ])('sends what the replay through the gate sends: %s', async (name, settings) => {
    const one = compared(...parts);
    const [outcome] = await compareProfiles(one, [{ name, settings }]);
    const replayed = await replaySession(
      one.session,
      { strategy: 'high-density', model: one.model, engine: 'inline' },
      {
        createStrategy: (strategy) => getCompressionStrategy(strategy, { vocabulary: claudeCode }),
        ephemerals: createEphemerals([settings], { model: one.model }),
        clock: () => 0,
      },
    );
    const systemTokens = one.countBlock({ type: 'text', text: 'You help.' });
    expect(outcome!.tokensSent).toBe(replayed.tokensSent - systemTokens * replayed.turns);
    expect(outcome!.tokensPeak).toBe(replayed.tokensPeak - systemTokens);
    expect(outcome!.compressions).toBe(replayed.compressions);
  });
});
