import type { ContentBlock, IContent } from '../content/content.ts';
import { MINUTE_MS } from '../durations.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { costRules, defaultLifetimeMs, isCacheCold } from '../economics/cost-rules.ts';
import { decide } from '../economics/decide.ts';
import type { Candidate, Decision, WaitingConversation } from '../economics/decision.ts';
import type { DensityEdit, DensityResult, DensityRules, Ephemerals } from '../strategies/contract.ts';
import { changedEntry, isBlank } from '../strategies/high-density/rules/changed-entry.ts';
import { compareBlocks } from '../strategies/reasons/call-place.ts';
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
  return minutes === undefined ? undefined : minutes * MINUTE_MS;
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
interface Weighed<Edit extends Candidate> extends Decision<Edit> {
  readonly withoutThinking: readonly number[];
}

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking';

/** True if an entry has thinking that a provider may have bound to what comes before it. */
const hasBoundThinking = ({ blocks }: IContent): boolean =>
  blocks.some(
    (block) => block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined),
  );

/**
 * True if all thinking may be left out of the next request: the newest message is a person's, so that no loop of tools is open, and
 * each answer has more than thinking.
 */
function canDropThinking(history: readonly IContent[]): boolean {
  const newest = history.slice(history.findLastIndex(({ speaker }) => speaker === 'ai') + 1);
  const isPersons = newest.length > 0 && newest.every(({ speaker }) => speaker === 'human');
  return isPersons && !history.some((entry) => hasBoundThinking(entry) && entry.blocks.every(isNothingElse));
}

const isNothingElse = (block: ContentBlock): boolean => isThinking(block) || isBlank(block);

/** The entries after this one that have bound thinking. */
const boundThinkingAfter = (history: readonly IContent[], first: number): readonly number[] =>
  history.flatMap((entry, at) => (at > first && hasBoundThinking(entry) ? [at] : []));

/** A result that also leaves out the thinking of these entries. Entries that lose all else are removed. */
function withoutThinkingOf(
  result: DensityResult,
  history: readonly IContent[],
  entries: readonly number[],
): DensityResult {
  if (entries.length === 0) return result;
  const removals = new Set(result.removals);
  const replacements = new Map(result.replacements);
  const edits = new Map<number, DensityEdit[]>();
  for (const at of entries) {
    if (removals.has(at)) continue;
    const blocks = (replacements.get(at) ?? history[at]!).blocks.filter((block) => !isThinking(block));
    if (blocks.every(isBlank)) {
      replacements.delete(at);
      removals.add(at);
    } else replacements.set(at, changedEntry(history[at]!, blocks));
    edits.set(at, editsOf(history[at]!, at));
  }
  const all = [...(result.edits ?? []), ...[...edits.values()].flat()];
  return {
    ...result,
    removals: [...removals].sort((one, other) => one - other),
    replacements: new Map([...replacements].sort(([one], [other]) => one - other)),
    edits: all.sort(compareBlocks),
  };
}

const editsOf = ({ blocks }: IContent, entry: number): DensityEdit[] =>
  blocks.flatMap((one, block): DensityEdit[] =>
    isThinking(one) ? [{ entry, block, kind: 'remove', reason: { rule: 'unboundThinking' } }] : [],
  );

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
