import type { Decision } from '../../economics/decision.ts';
import { findEdits } from '../../pruning/find-edits.ts';
import { configAt, dropsThinking, type PruningTerms, weigh } from '../../pruning/pruning-decision.ts';
import { type WaitingEdit, waitingEdits } from '../../pruning/waiting-edits.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { ListedResult } from '../conversation/conversation-list.ts';
import type { LiveResult } from '../conversation/element.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import { canGetTexts } from '../request/can-get-texts.ts';
import type { RequestList } from '../request/request-list.ts';
import { stubTarget } from './healed-stub.ts';
import { lifetimeOf } from './sent-requests.ts';
import { formOf, type ShorterResult, shorterResults } from './shorter-results.ts';
import { isArchived, type TurnTools } from './turn-tools.ts';

interface Applying {
  readonly tools: TurnTools;
  readonly list: RequestList;
  /** The entries of the last request; 0 if it asked another model. */
  readonly sentEntries: number;
  readonly model: string;
  readonly idleMs: number | undefined;
}

interface Applied {
  readonly decision: Decision<WaitingEdit>;
  readonly changed: readonly ChangedResult[];
  /** Entries as the rules left them. */
  readonly left: DensityResult['replacements'];
}

/** A result whose form changed, and the form that it had. */
export interface ChangedResult extends ListedResult {
  readonly before: FrozenResult | undefined;
}

/** What decides what a change of this conversation costs with this model. */
export const termsOf = (
  branch: Branch,
  model: string,
  { agent, dialect, config }: Pick<TurnTools, 'agent' | 'dialect' | 'config'>,
): PruningTerms => ({
  model,
  agent,
  lifetimeMs: lifetimeOf(branch, model),
  bindsThinking: branch.decisions.boundModels.has(model),
  dropsThinking: dialect.canOmitThinking === true && dropsThinking(config),
});

/** Asks whether the edits that the rules propose apply now, and freezes those that do; `undefined` if none waits. */
export async function applyWaiting(
  branch: Branch,
  { tools, list, sentEntries, model, idleMs }: Applying,
): Promise<Applied | undefined> {
  const { labels, dialect, archive, slices } = tools;
  const { history, decisions, projection, reader } = branch;
  const terms = termsOf(branch, model, tools);
  const { rules } = tools.config;
  const given =
    branch.clearsResults && rules ? { ...tools.config, rules: { ...rules, repeatedLines: 0 } } : tools.config;
  const config = configAt(given, { sentEntries, idleMs }, terms);
  const found = await foundInSlices(branch, { ...tools, config });
  if (!found?.edits || found.edits.length === 0) return undefined;
  const targets = stubTargets(branch);
  const { results: frozen } = decisions;
  const isFinal = ({ id }: LiveResult): boolean =>
    decisions.refused.has(id) || (frozen.has(id) && frozen.get(id)!.isCut !== true);
  // What notes in a kept result name is kept too; other notes go with what they name.
  const referred = new Set([...decisions.targets, ...targets]);
  for (const id of referred) for (const source of frozen.get(id)?.sources ?? []) referred.add(source);
  const isKept = (result: LiveResult): boolean => isFinal(result) || referred.has(result.id);
  const shorter = await shorterResults(found, { history, frozen, dialect, isKept }, slices);
  const waiting = waitingEdits(projection.entries, found, (at) =>
    shorter.get(at)?.reduce((sum, { savedTokens }) => sum + savedTokens, 0),
  );
  if (waiting.length === 0) return undefined;
  const moment = {
    history: projection.entries,
    tokens: projection.tokens,
    constantTokens: branch.constantTokens ?? 0,
    pendingTokens: 0,
    sentEntries,
    idleMs,
    callsMade: history.answersAt.length,
    pastCalls: decisions.calls.calls,
  };
  if (slices.isOver()) await slices.next();
  const left = found.replacements;
  let canGet: boolean | undefined;
  // The tools of a request are read only if a marker is made.
  const hasWayBack = (): boolean => {
    canGet ??= archive !== undefined && canGetTexts(list, { entries: history.entries, vocabulary: tools.vocabulary });
    return canGet;
  };
  const sources = { history, frozen, reader, labels, hasWayBack };
  const formsIn = (edits: readonly ShorterResult[]) =>
    edits.flatMap((edit) => {
      const form = formOf(edit, sources);
      return form === undefined ? [] : { form, edit };
    });
  const formsOf = ({ entries }: WaitingEdit) => formsIn(entries.flatMap((at) => shorter.get(at)!));
  let decision = weigh(waiting, moment, terms);
  let forms = [...decision.apply.flatMap(formsOf), ...formsIn(unboundThinking(branch, decision.withoutThinking))];
  const losing = forms.filter(({ form }) => !form.losesNothing);
  const lost = losing.map(({ edit }) => edit.result.block);
  if (!(await isArchived(tools, lost, reader.callOf))) {
    const losesNothing = (edit: WaitingEdit): boolean => formsOf(edit).every(({ form }) => form.losesNothing);
    decision = weigh(waiting.filter(losesNothing), moment, { ...terms, dropsThinking: false });
    forms = decision.apply.flatMap(formsOf);
  }
  if (forms.length === 0 || slices.isLate) return { decision: { ...decision, apply: [] }, changed: [], left };
  const changed = forms.flatMap(({ edit }) => {
    const listed = history.resultAt(edit.at, edit.result.blockAt);
    return listed ? { ...listed, before: frozen.get(edit.result.id) } : [];
  });
  for (const { form } of forms) decisions.freeze(form);
  return { decision, changed: changed.sort((one, other) => one.at - other.at), left };
}

/** The thinking of these answers that was not left out before. */
const unboundThinking = ({ history, decisions }: Branch, entries: readonly number[]): ShorterResult[] =>
  entries.flatMap((at) => {
    const block = history.entries[at]!.blocks.findIndex(({ type }) => type === 'thinking');
    const result = history.resultAt(at, block)?.result;
    if (result === undefined || !decisions.isOpen(result.id)) return [];
    const savedTokens = history.tokensOf(result.length, at);
    return { at, savedTokens, result, reason: { rule: 'unboundThinking' }, sources: [], kept: undefined };
  });

/** What the rules find in a history; `undefined` if that takes too long. */
async function foundInSlices(
  branch: Branch,
  { strategy, config, slices }: TurnTools,
): Promise<DensityResult | undefined> {
  const { entries } = branch.projection;
  // What runs first runs slowest: code that was never run is not compiled.
  if (branch.ruledEntries === 0) await slices.next();
  const finding = findEdits(entries, { strategy, config, seenEntries: branch.ruledEntries });
  for (;;) {
    if (slices.isLate) return undefined;
    const step = finding.next();
    branch.ruledEntries = step.done ? entries.length : step.value;
    if (slices.isOver()) await slices.next();
    if (step.done) return step.value;
  }
}

/** The results that stubs in the request refer to: they are never shortened. */
function stubTargets({ history, decisions }: Branch): ReadonlySet<string> {
  const found = new Set<string>();
  for (const place of history.stubs) {
    const { id, readKey } = history.results[place]!.result;
    if (readKey === undefined || decisions.results.has(id)) continue;
    const target = stubTarget(readKey, { history, before: place, frozen: decisions.results });
    if (target !== undefined) found.add(target);
  }
  return found;
}
