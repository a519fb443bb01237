/**
 * What `replay` says, and what a running agent gets: recorded sessions of Claude Code, played as requests through `createPruner()`, and
 * as events with the profile `recommended`. One payer, which reads nothing but the requests, bills both: the bills must agree
 * within half a percentage point. Results that only one of them shortens are counted by their cause.
 *
 * `npm run proof -- agreement [--part 1/4] [part of a path …] [part of a model …]`: a model's name is one of those below.
 */
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { recommendedRun } from '../../src/lab/recommended-bill.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { textId } from '../../src/live/request/live-text.ts';
import { constantTokensOf } from '../../src/sessions/constant-tokens.ts';
import { hasMarker } from '../../src/strategies/high-density/shapers/markers.ts';
import { blockCounter, entryCounter } from '../../src/tokens/entries/block-counter.ts';
import { promptCounter } from '../../src/tokens/entries/prompt-counter.ts';
import { moments } from './agreement/moments.ts';
import { Payer } from './agreement/payer.ts';
import { asAgentSends } from './live/as-agent-sends.ts';
import { eachSession, type PlayedSession } from './live/each-session.ts';
import { playOptions } from './live/play-options.ts';
import { claude, type PlayedModel } from './live/played-models.ts';
import { Agent } from './live/recorded-calls.ts';

const MODELS: readonly PlayedModel[] = [
  claude('claude-opus-5', '5m', 'new'),
  claude('claude-opus-5', '1h', 'new'),
  claude('claude-opus-5-5', '5m', 'new'),
];
const MAX_POINTS = 0.5;
const SENTENCE = 'You are an agent that reads and changes files. ';

/** The figures of one model. */
class Agreement {
  sessions = 0;
  calls = 0;
  readonly bills = { recorded: 0, live: 0, replay: 0 };
  shortened = 0;
  readonly differences = new Map<string, number>();

  get differing(): number {
    return [...this.differences.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Percentage points. */
  changeOf(side: 'live' | 'replay'): number {
    return 100 * (this.bills[side] / this.bills.recorded - 1);
  }

  get agrees(): boolean {
    return Math.abs(this.changeOf('live') - this.changeOf('replay')) <= MAX_POINTS;
  }
}

/** System prompt of so many tokens. */
function systemOf(tokens: number, model: string): string {
  const sample = SENTENCE.repeat(1_000);
  return SENTENCE.repeat(Math.max(1, Math.round((1_000 * tokens) / promptCounter(model).ofText(sample))));
}

/** The name of a result, or of a text that the agent wrote in a user turn, in reports of a pruner; `undefined` for other blocks, and for what was shortened before. */
function idInRequests(before: IContent, block: ContentBlock): string | undefined {
  if (block.type === 'tool_response') return block.callId;
  const sent = before.metadata?.attachedFile === undefined ? block : asAgentSends(before).blocks[0];
  return before.speaker !== 'human' || sent?.type !== 'text' || hasMarker(sent.text) ? undefined : textId(sent.text);
}

async function play(
  { session, vocabulary, workspaceRoot }: PlayedSession<PlayedModel>,
  { model, ttl }: PlayedModel,
  agreement: Agreement,
): Promise<void> {
  const countBlock = blockCounter(model);
  const tokensOf = entryCounter(model, countBlock);
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  const cacheMinutes = ttl === '1h' ? 60 : 5;
  const facts = { session, vocabulary, model, cacheMinutes, tokensOf, constantTokens };
  const moves = await recommendedRun(facts).play(session);
  const calls = moments(session, moves);
  if (calls.length < 2) return;
  const replay = new Map(
    moves.flatMap(({ changes, ...move }) =>
      changes.flatMap(({ before, blocks }) =>
        blocks.flatMap(({ block, edits }) => {
          const id = idInRequests(before, block);
          if (id === undefined) return [];
          const cause = move.kind === 'optimized' ? move.decision?.cause : move.kind;
          return [[id, `${edits.at(-1)?.reason.rule}, ${cause}`] as const];
        }),
      ),
    ),
  );
  const live = new Map<string, string>();
  let nowMs = 0;
  const archive = async (): Promise<void> => {};
  const pruner = createPruner({
    api: 'anthropic-messages',
    vocabulary,
    workspaceRoot,
    agent: session.format,
    archive,
    now: () => nowMs,
  });
  const agent = new Agent('anthropic-messages');
  const cache_control = { type: 'ephemeral', ...(ttl === '1h' && { ttl }) };
  const system = [{ type: 'text', text: systemOf(constantTokens, model), cache_control }];
  const payers = { recorded: new Payer(ttl), live: new Payer(ttl), replay: new Payer(ttl) };
  for (const { recorded, replayed, atMs, answerTokens } of calls) {
    nowMs = atMs;
    const body = { ...agent.body(recorded, { model, ttl }), system };
    const { body: sent, report } = await pruner.prune({ body, model, conversation: 'played' });
    await pruner.observe(report, { status: 200, ...(answerTokens !== undefined && { answerTokens }) });
    for (const { callId, kind } of report.changed)
      if (!live.has(callId)) live.set(callId, `${kind}, ${report.decision?.cause ?? 'new'}`);
    payers.recorded.pay(recorded, atMs);
    payers.live.pay((sent as unknown as { messages: readonly unknown[] }).messages, atMs);
    payers.replay.pay(replayed, atMs);
  }
  agreement.sessions++;
  agreement.calls += calls.length;
  for (const side of ['recorded', 'live', 'replay'] as const) agreement.bills[side] += payers[side].bill;
  for (const id of new Set([...live.keys(), ...replay.keys()])) {
    agreement.shortened++;
    if (live.has(id) === replay.has(id)) continue;
    const cause = live.has(id) ? `only live: ${live.get(id)}` : `only replay: ${replay.get(id)}`;
    agreement.differences.set(cause, (agreement.differences.get(cause) ?? 0) + 1);
  }
}

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { chosen } = playOptions(parameters);
  const agreements = new Map(MODELS.map((model) => [model, new Agreement()]));
  for (const played of eachSession({ ...chosen, models: MODELS, sets: ['data', 'more-data', 'modern-data'] }))
    if (played.session.format === 'claude-code')
      for (const model of played.models) await play(played, model, agreements.get(model)!);
  const told = [...agreements].filter(([, { sessions }]) => sessions > 0);
  for (const [model, agreement] of told) {
    const { sessions, calls, shortened, differing, differences } = agreement;
    const live = agreement.changeOf('live');
    const replay = agreement.changeOf('replay');
    console.log(
      `${model.name}: ${sessions} sessions, ${calls} calls; bill live ${live.toFixed(2)}%, replay ${replay.toFixed(2)}%; ${differing} of ${shortened} results are shortened by one alone (${((100 * differing) / Math.max(1, shortened)).toFixed(1)}%)`,
    );
    for (const [cause, count] of [...differences].sort(([, one], [, other]) => other - one))
      console.log(`  ${count} ${cause}`);
  }
  return told.every(([, agreement]) => agreement.agrees);
}
