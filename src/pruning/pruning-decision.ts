import type { IContent } from '../content/content.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { costRules, defaultLifetimeMs, isCacheCold } from '../economics/cost-rules.ts';
import { decide } from '../economics/decide.ts';
import type { Candidate, Decision, WaitingConversation } from '../economics/decision.ts';
import type { DensityResult, Ephemerals } from '../strategies/contract.ts';
import { onlyEntries } from '../strategies/reasons/only-entries.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
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

/** Which of the edits that wait apply before this send, and why. Linear in entries, past calls and edits. */
export function weigh<Edit extends Candidate>(
  edits: readonly Edit[],
  { history, ...moment }: PruningMoment,
  { bindsThinking = false, ...terms }: PruningTerms,
): Decision<Edit> {
  const expected = costRules({ ...terms, callsMade: moment.callsMade });
  const isBound = expected.cache.bindsThinking || bindsThinking;
  const conversation = {
    ...moment,
    blocks: history.map(({ blocks }) => blocks.length),
    lastThinkingAt: isBound ? history.findLastIndex(hasBoundThinking) : -1,
  };
  return decide(conversation, edits, { ...expected, cache: { ...expected.cache, bindsThinking: isBound } });
}

/** True if an entry has thinking that a provider may have bound to what comes before it. */
const hasBoundThinking = ({ blocks }: IContent): boolean =>
  blocks.some(
    (block) => block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined),
  );

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
  const { apply, ...decision } = weigh(edits, moment, terms);
  const applied = new Set(apply);
  const waitingTokens = edits.reduce((sum, edit) => (applied.has(edit) ? sum : sum + edit.savedTokens), 0);
  const told = { ...decision, waitingTokens };
  if (apply.length === 0) return told;
  const entries = new Set(apply.flatMap((edit) => edit.entries));
  const isAll = entries.size === found.removals.length + found.replacements.size;
  return { ...told, result: isAll ? found : onlyEntries(found, entries) };
}
