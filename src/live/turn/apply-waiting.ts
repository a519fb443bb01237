import { costRules, defaultLifetimeMs, isCacheCold } from '../../economics/cost-rules.ts';
import { decide } from '../../economics/decide.ts';
import type { Decision } from '../../economics/decision.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { LiveResult } from '../conversation/element.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import type { ListedResult } from '../conversation/history.ts';
import { stubTarget } from './shaping.ts';
import { isArchived, type TurnTools } from './turn-tools.ts';
import { formOf, type WaitingEdit, waitingEdits } from './waiting-edits.ts';

interface Applying {
  readonly tools: TurnTools;
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

/** Asks whether the edits that the rules propose apply now, and freezes those that do; `undefined` if none waits. */
export async function applyWaiting(
  branch: Branch,
  { tools, sentEntries, model, idleMs }: Applying,
): Promise<Applied | undefined> {
  const { labels, dialect, archive, agent, slices } = tools;
  const { history, decisions, projection, reader } = branch;
  const isCold = isCacheCold({ sentEntries, idleMs }, branch.lifetimeMs ?? defaultLifetimeMs(model));
  const found = await ruledInSlices(branch, isCold ? { ...tools, config: { ...tools.config, isCold } } : tools);
  if (!found?.edits || found.edits.length === 0) return undefined;
  const targets = stubTargets(branch);
  const { calls } = reader;
  const { results: frozen } = decisions;
  const isFinal = ({ id }: LiveResult): boolean =>
    decisions.refused.has(id) || (frozen.has(id) && frozen.get(id)!.isCut !== true);
  // What notes in a kept result name is kept too; other notes go with what they name.
  const referred = new Set([...decisions.targets, ...targets]);
  for (const id of referred) for (const source of frozen.get(id)?.sources ?? []) referred.add(source);
  const isKept = (result: LiveResult): boolean => isFinal(result) || referred.has(result.id);
  const waiting = await waitingEdits(found, { history, projection, frozen, dialect, isKept }, slices);
  if (waiting.length === 0) return undefined;
  const callsMade = history.answersAt.length;
  const conversation = {
    tokens: projection.tokens,
    blocks: history.blocks,
    constantTokens: branch.constantTokens ?? 0,
    pendingTokens: 0,
    sentEntries,
    idleMs,
    lastThinkingAt: history.lastThinkingAt,
    callsMade,
    pastCalls: decisions.calls.calls,
  };
  const expected = costRules({
    model,
    callsMade,
    lifetimeMs: branch.lifetimeMs,
    ...(agent !== undefined && { agent }),
  });
  const bindsThinking = expected.cache.bindsThinking || decisions.boundModels.has(model);
  if (slices.isOver) await slices.rest();
  const decision = decide(conversation, waiting, { ...expected, cache: { ...expected.cache, bindsThinking } });
  const left = found.replacements;
  const sources = { history, frozen, calls, labels, isArchived: archive !== undefined };
  const forms = decision.apply.flatMap(({ shorter }) =>
    shorter.flatMap((edit) => {
      const form = formOf(edit, sources);
      return form === undefined ? [] : { form, edit };
    }),
  );
  const blocks = forms.map(({ edit }) => edit.result.block);
  if (forms.length === 0 || !(await isArchived(tools, blocks, calls)) || slices.isLate)
    return { decision: { ...decision, apply: [] }, changed: [], left };
  const changed = forms.flatMap(({ edit }) => {
    const listed = history.resultAt(edit.at, edit.result.blockAt);
    return listed ? { ...listed, before: frozen.get(edit.result.id) } : [];
  });
  for (const { form } of forms) decisions.freeze(form);
  return { decision, changed: changed.sort((one, other) => one.at - other.at), left };
}

/** Entries of one run over a history that is seen first: each run remembers what those before it found. */
const RUN_ENTRIES = 12;

/** What the rules find in a history, in slices where much of it is new to them; `undefined` if that takes too long. */
async function ruledInSlices(
  branch: Branch,
  { strategy, config, slices }: TurnTools,
): Promise<DensityResult | undefined> {
  const { entries } = branch.projection;
  // What runs first runs slowest: code that was never run is not compiled.
  if (entries.length - branch.ruledEntries > RUN_ENTRIES) await slices.rest();
  for (let end = branch.ruledEntries + RUN_ENTRIES; end < entries.length; end += RUN_ENTRIES) {
    // After an answer nothing is new, which the rules would shorten and then read as it was.
    while (end < entries.length && entries[end - 1]!.speaker !== 'ai') end++;
    if (slices.isLate) return undefined;
    strategy.optimize(entries.slice(0, end), config);
    branch.ruledEntries = end;
    if (slices.isOver) await slices.rest();
  }
  if (slices.isLate) return undefined;
  branch.ruledEntries = entries.length;
  const found = strategy.optimize(entries, config);
  if (slices.isOver) await slices.rest();
  return found;
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
