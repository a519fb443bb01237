import type { ContentBlock } from '../content/content.ts';
import { costRules } from '../economics/cost-rules.ts';
import { decide } from '../economics/decide.ts';
import type { Decision } from '../economics/decision.ts';
import type { HighDensityStrategy } from '../strategies/high-density/high-density.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
import { type Branch, hasSignedThinking, Slices } from './branch.ts';
import type { ProjectedResult, PruneReport, PrunerOptions } from './contract.ts';
import { CHARACTERS_PER_TOKEN, type LiveDialect } from './dialects.ts';
import type { Labels } from './labels.ts';
import { earlierOf, type History, historyOf, savedTokens, sentTokens } from './listed-history.ts';
import type { Replacement, RequestList } from './request-list.ts';
import { isStub, neededAgain, readKey, shapeNew, stubTarget } from './shaping.ts';
import { ruledInSlices, type WaitingEdit, waitingEdits } from './waiting-edits.ts';

export interface TurnTools {
  readonly dialect: LiveDialect;
  readonly labels: Labels;
  readonly config: GivenDensityConfig;
  readonly strategy: HighDensityStrategy;
  readonly archive: PrunerOptions['archive'];
  readonly agent: string | undefined;
  readonly now: () => number;
}

interface GivenTurn {
  readonly list: RequestList;
  /** The number of elements that the last request had too. */
  readonly shared: number;
  readonly model: string;
}

interface TakenTurn {
  readonly replacements: readonly Replacement[];
  readonly report: Omit<PruneReport, 'conversation' | 'model'>;
}

const HOUR_MS = 60 * 60_000;
/**
 * The share of the expected further calls within which a rewrite must pay: most sessions end long before the mean, so that
 * few are billed more than without it. Source: `npm run proof -- live`.
 */
const RELIED_ON_RATIO = 0.2;

/** Follows a request and says which texts of it are sent in another form. */
export async function takeTurn(branch: Branch, given: GivenTurn, tools: TurnTools): Promise<TakenTurn> {
  const { list, shared, model } = given;
  const { decisions } = branch;
  const isFirst = branch.elements.length === 0;
  const slices = new Slices();
  await branch.follow(list, shared, slices);
  const history = historyOf(branch);
  // What a first request contains may be cached: the last run of this program may have sent it.
  const sent = isFirst ? history.fresh : shared;
  if (branch.lifetimeMs !== HOUR_MS && list.mentions('"1h"', sent)) branch.lifetimeMs = HOUR_MS;
  branch.constantTokens ??= Math.round(list.besideLength() / CHARACTERS_PER_TOKEN);
  const before = new Set(decisions.results.keys());
  thawDangling(history, branch);
  await shapeFresh(history, branch, { tools, sent, shared, slices });
  const decision = await applyWaiting(history, branch, {
    tools,
    sent: branch.model === model || branch.model === undefined ? sent : 0,
    model,
    slices,
  });
  branch.model = model;
  branch.sentAtMs = tools.now();
  return taken(history, branch, { before, decision, sentEntries: history.starts[sent] ?? history.entries.length });
}

/** A reference to a result that is not sent any more, or not in full, is taken back. */
function thawDangling({ results }: History, { decisions }: Branch): void {
  const seen = new Set<string>();
  for (const { result } of results) {
    const frozen = decisions.results.get(result.id);
    if (frozen?.kind === 'repeat' && !seen.has(frozen.target ?? '')) decisions.thaw(result.id);
    if (!decisions.results.has(result.id)) seen.add(result.id);
  }
}

/** Shapes what is new before it is sent for the first time, and learns from it which files are needed again. */
async function shapeFresh(
  history: History,
  branch: Branch,
  { tools, sent, shared, slices }: { tools: TurnTools; sent: number; shared: number; slices: Slices },
): Promise<void> {
  const { decisions, readTexts, calls } = branch;
  const { labels } = tools;
  for (const [index, { result, element }] of history.results.entries()) {
    if (element < shared) continue;
    await slices.rest();
    if (element >= Math.max(sent, history.fresh) && !decisions.results.has(result.id)) {
      const earlier = earlierOf(history, branch, index, labels);
      for (const file of neededAgain(result, earlier)) {
        const isMissed = [...decisions.results.values()].some(({ files }) => files.includes(file));
        if (isMissed && !decisions.pins.has(file)) decisions.pin(file);
      }
      const shaped = shapeNew(result, earlier);
      if (shaped && (await isKept(tools, [result.block]))) decisions.freeze(shaped);
    }
    const key = readKey(calls.get(result.block.callId));
    if (key !== undefined && !isStub(result)) readTexts.set(key, result.text);
  }
}

/** True once the text is in the archive, or if there is none to keep it in. */
async function isKept({ archive }: TurnTools, blocks: readonly ContentBlock[]): Promise<boolean> {
  if (archive === undefined) return true;
  return archive(blocks).then(
    () => true,
    () => false,
  );
}

interface Applying {
  readonly tools: TurnTools;
  readonly sent: number;
  readonly model: string;
  readonly slices: Slices;
}

/** Asks whether the edits that the rules propose apply now, and freezes those that do. */
async function applyWaiting(
  history: History,
  branch: Branch,
  { tools, sent, model, slices }: Applying,
): Promise<Decision<WaitingEdit> | undefined> {
  const { labels, dialect, archive, agent, now } = tools;
  const { decisions, calls } = branch;
  const { entries } = history;
  const found = await ruledInSlices(tools, entries, { branch, slices });
  if (!found.edits || found.edits.length === 0) return undefined;
  const kept = targets(history, branch, labels);
  await slices.rest();
  const firstFresh = history.starts[history.fresh] ?? entries.length;
  const placed = history.results.filter(
    ({ result, at }) => at < firstFresh && !decisions.results.has(result.id) && !kept.has(result.id),
  );
  const isPinned = ({ frozen }: WaitingEdit): boolean => frozen.files.some((file) => decisions.pins.has(file));
  const sources = { entries, placed, calls, labels, dialect, isArchived: archive !== undefined };
  const edits = (await waitingEdits(found, sources, slices)).filter((edit) => !isPinned(edit));
  if (edits.length === 0) return undefined;
  const callsMade = branch.elements.filter(({ isAnswer }) => isAnswer).length;
  const conversation = {
    tokens: sentTokens(history, decisions.results),
    constantTokens: branch.constantTokens ?? 0,
    pendingTokens: 0,
    sentEntries: history.starts[sent] ?? entries.length,
    idleMs: branch.sentAtMs === undefined ? undefined : now() - branch.sentAtMs,
    lastThinkingAt: entries.findLastIndex(hasSignedThinking),
    callsMade,
  };
  const expected = costRules({
    model,
    callsMade,
    lifetimeMs: branch.lifetimeMs,
    ...(agent !== undefined && { agent }),
  });
  const { furtherCalls, cache } = expected;
  const bindsThinking = cache.bindsThinking || decisions.boundModels.has(model);
  const rules = {
    ...expected,
    cache: { ...cache, bindsThinking },
    furtherCalls: { ...furtherCalls, calls: furtherCalls.calls * RELIED_ON_RATIO },
  };
  const reachable = firstReachable(history, dialect);
  const rewriting = edits.map((edit) =>
    edit.at < Math.min(reachable, conversation.sentEntries) ? { ...edit, at: 0 } : edit,
  );
  await slices.rest();
  const decision = decide(conversation, rewriting, rules);
  await slices.rest();
  if (
    decision.apply.length > 0 &&
    (await isKept(
      tools,
      decision.apply.map(({ block }) => block),
    ))
  ) {
    for (const { frozen } of decision.apply) decisions.freeze(frozen);
    return decision;
  }
  return { ...decision, apply: [] };
}

/** The first entry that the provider's last mark reaches: a change before it costs as much as one at the start. */
function firstReachable({ entries }: History, { lookbackBlocks }: LiveDialect): number {
  let blocks = 0;
  for (let at = entries.length - 1; at >= 0; at--) {
    blocks += entries[at]!.blocks.length;
    if (blocks > lookbackBlocks) return at + 1;
  }
  return 0;
}

/** The results that references and stubs in the request refer to: they are never shortened. */
function targets(history: History, branch: Branch, labels: Labels): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { target } of branch.decisions.results.values()) if (target !== undefined) found.add(target);
  for (const [index, { result }] of history.results.entries()) {
    if (!isStub(result) || branch.decisions.results.has(result.id)) continue;
    const target = stubTarget(result, earlierOf(history, branch, index, labels));
    if (target) found.add(target.id);
  }
  return found;
}

interface TakenFacts {
  readonly before: ReadonlySet<string>;
  readonly decision: Decision<WaitingEdit> | undefined;
  readonly sentEntries: number;
}

function taken({ results }: History, { decisions }: Branch, { before, decision, sentEntries }: TakenFacts): TakenTurn {
  const replacements: Replacement[] = [];
  const changed: ProjectedResult[] = [];
  let isEpoch = false;
  let saved = 0;
  for (const { result, element, at } of results) {
    const form = decisions.results.get(result.id);
    if (!form) continue;
    const tokens = savedTokens(result, form);
    saved += tokens;
    replacements.push({ element, path: result.path, text: form.text });
    if (before.has(result.id)) continue;
    if (at < sentEntries) isEpoch = true;
    changed.push({ callId: result.block.callId, kind: form.kind, reason: form.reason, savedTokens: tokens });
  }
  return {
    replacements,
    report: {
      changed,
      projected: replacements.length,
      savedTokens: saved,
      isEpoch,
      pinned: [...decisions.pins],
      ...(decision && {
        decision: { cause: decision.cause, reason: decision.reason, expectedNet: decision.expectedNet },
      }),
    },
  };
}
