import type { IContent } from '../content/content.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { costRules, defaultLifetimeMs, isCacheCold } from '../economics/cost-rules.ts';
import { decide } from '../economics/decide.ts';
import type { Candidate, Decision, WaitingConversation } from '../economics/decision.ts';
import type { DensityResult, DensityRules, Ephemerals } from '../strategies/contract.ts';
import { onlyEntries } from '../strategies/reasons/only-entries.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
import { boundThinkingAfter, canDropThinking, hasBoundThinking, withoutThinkingOf } from './bound-thinking.ts';
import { savedByLength, waitingEdits } from './waiting-edits.ts';

/** What decides what a change of a conversation costs. */
export interface PruningTerms {
  readonly model: string;
  /** The name of the agent's session format, if it is known. */
  readonly agent?: string | undefined;
  /** How long prefixes are kept; absent: as the model does by default. */
  readonly lifetimeMs?: number | undefined;
  /** The prompt at which the agent compresses; absent: not known. */
  readonly thresholdTokens?: number | undefined;
  /** True if an answer said that thinking is bound; absent: as the model's row says. */
  readonly bindsThinking?: boolean | undefined;
  /** True if bound thinking may be left out for a change before it, when the prompt cache has expired (`thinkingWhenCold`). */
  readonly dropsThinking?: boolean | undefined;
  /** The repository of a recorded session, whose own length must not be known to the decision. */
  readonly exceptRepository?: string | undefined;
  /** Milliseconds since 1970, for the price; absent: the day of the price table. */
  readonly atMs?: number | undefined;
}

/** A conversation before a send: its entries as they were sent last, with what is new. */
export interface PruningMoment
  extends Pick<
    WaitingConversation,
    'tokens' | 'constantTokens' | 'pendingTokens' | 'sentEntries' | 'idleMs' | 'callsMade' | 'pastCalls'
  > {
  readonly history: readonly IContent[];
}

/** The lifetime of prefixes that is set; `undefined`: that of the model. */
export function givenLifetimeMs(ephemerals: Ephemerals): number | undefined {
  const minutes = ephemerals.densityCacheMinutes?.();
  return minutes === undefined ? undefined : minutes * 60_000;
}

/** True if the rules let bound thinking go on a cold cache. */
export const dropsThinking = ({ rules }: { readonly rules?: Partial<DensityRules> | undefined }): boolean =>
  rules?.thinkingWhenCold === 'drop';

/** Model calls of a history in which each answer is one entry. */
export function answersIn(history: readonly IContent[]): number {
  let answers = 0;
  for (const { speaker } of history) if (speaker === 'ai') answers++;
  return answers;
}

/** The configuration before a send: where the provider has surely lost the prefix, any change is free, and rules may prune more. */
export function configAt<Config extends GivenDensityConfig>(
  config: Config,
  sent: Pick<PruningMoment, 'sentEntries' | 'idleMs'>,
  { model, lifetimeMs, bindsThinking = false }: PruningTerms,
): Config {
  if (!isCacheCold(sent, lifetimeMs ?? defaultLifetimeMs(model))) return config;
  return { ...config, isCold: true, canOmitThinking: !bindsThinking && cacheRuleOf(model).canOmitThinking };
}

/** Which edits apply, and the answers whose thinking is left out with them because a change before it makes it worthless. */
export interface Weighed<Edit extends Candidate> extends Decision<Edit> {
  readonly withoutThinking: readonly number[];
}

/** Which of the edits that wait apply before this send, and why. Linear in entries, past calls and edits. */
export function weigh<Edit extends Candidate>(
  edits: readonly Edit[],
  { history, ...moment }: PruningMoment,
  { bindsThinking = false, dropsThinking = false, ...terms }: PruningTerms,
): Weighed<Edit> {
  const expected = costRules({ ...terms, callsMade: moment.callsMade });
  const isBound = expected.cache.bindsThinking || bindsThinking;
  const drops = isBound && dropsThinking && isCacheCold(moment, expected.lifetimeMs) && canDropThinking(history);
  const holds = isBound && !drops;
  const conversation = {
    ...moment,
    blocks: history.map(({ blocks }) => blocks.length),
    lastThinkingAt: holds ? history.findLastIndex(hasBoundThinking) : -1,
  };
  const decision = decide(conversation, edits, { ...expected, cache: { ...expected.cache, bindsThinking: holds } });
  const first = decision.apply[0]?.at;
  const withoutThinking = drops && first !== undefined ? boundThinkingAfter(history, first) : [];
  return { ...decision, withoutThinking };
}

/** What applies of a result now, and why. */
export interface PruningDecision extends Omit<Decision, 'apply'> {
  /** Absent: nothing applies now. The same object if all of it applies. */
  readonly result?: DensityResult;
  /** Tokens of the edits that wait. */
  readonly waitingTokens: number;
}

/** The part of a result to apply now, where its edits are applied as they are. Linear in entries. */
export function pruningDecision(found: DensityResult, moment: PruningMoment, terms: PruningTerms): PruningDecision {
  const { history, tokens } = moment;
  const edits = waitingEdits(history, found, savedByLength(history, found, tokens));
  const { apply, withoutThinking, ...decision } = weigh(edits, moment, terms);
  const applied = new Set(apply);
  const waitingTokens = edits.reduce((sum, edit) => (applied.has(edit) ? sum : sum + edit.savedTokens), 0);
  const told = { ...decision, waitingTokens };
  if (apply.length === 0) return told;
  const entries = new Set(apply.flatMap((edit) => edit.entries));
  const isAll = entries.size === found.removals.length + found.replacements.size;
  const result = isAll ? found : onlyEntries(found, entries);
  return { ...told, result: withoutThinkingOf(result, history, withoutThinking) };
}
