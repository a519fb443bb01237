import { groupBy } from '../../../content/group-by.ts';
import { NEED_KINDS } from '../../../lab/cuts/cut-losses.ts';
import type { FileCuts } from '../../../lab/cuts/file-cuts.ts';
import type { RecordedCut } from '../../../lab/cuts/recorded-cuts.ts';
import type { NeedKind } from '../../../needs/need.ts';
import { recordOf } from '../../../strategies/reasons/edit-reason.ts';

/** Fewer cuts say nothing about an agent. */
export const MIN_CUTS = 10;

/** A cut and where it is from. */
export interface AgentCut extends RecordedCut {
  readonly session: string;
  readonly agent: string;
  /** True for a cut that another session contains too: a fork copies what was before it. */
  readonly isCopy: boolean;
}

/** All cuts, in the order of the files. The earliest of several copies is the original. */
export function agentCuts(files: readonly FileCuts[]): readonly AgentCut[] {
  const all = files.flatMap(({ path, format, cuts }) => cuts.map((cut) => ({ ...cut, session: path, agent: format })));
  const originals = new Set(
    [...groupBy(all, (cut) => (cut.losses ? `${cut.agent} ${cut.losses.digest}` : cut))].map(([, copies]) =>
      copies.reduce((one, other) => ((other.atMs ?? 0) < (one.atMs ?? 0) ? other : one)),
    ),
  );
  return all.map((cut) => ({ ...cut, isCopy: !originals.has(cut) }));
}

/** Cuts that the recording names, once each. */
export const namedCuts = (cuts: readonly AgentCut[]): readonly AgentCut[] =>
  cuts.filter(({ kind, isCopy }) => kind !== 'fall' && !isCopy);

/** Blocks of later events that use earlier text, and those of them that needed what a cut had removed. */
type Needed = Readonly<Record<NeedKind, { readonly uses: number; readonly regrets: number }>>;

export const neededOf = (cuts: readonly AgentCut[]): Needed =>
  recordOf(NEED_KINDS, (kind) => ({
    uses: cuts.reduce((sum, { losses }) => sum + (losses?.uses[kind] ?? 0), 0),
    regrets: cuts.reduce(
      (sum, { losses }) => sum + (losses?.regrets.filter((one) => one.kind === kind).length ?? 0),
      0,
    ),
  }));

const medianOf = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined).sort((one, other) => one - other);
  return known[(known.length - 1) >> 1];
};

/** The cuts of an agent in sum. Tokens are medians (the lower of two); `undefined` if no cut has them. */
interface AgentSummary {
  readonly agent: string;
  readonly cuts: number;
  readonly sessions: number;
  readonly beforeTokens: number | undefined;
  readonly afterTokens: number | undefined;
  readonly rewrittenTokens: number | undefined;
  readonly unseenTokens: number | undefined;
  /** Median price of the rewritten cache, over cuts with a known price. */
  readonly dollars: number | undefined;
  readonly callsAfter: number | undefined;
  readonly needed: Needed;
}

/** One row for each agent, the one with the most cuts first. */
export function agentSummaries(cuts: readonly AgentCut[]): readonly AgentSummary[] {
  return [...groupBy(cuts, ({ agent }) => agent)]
    .map(([agent, own]) => ({
      agent,
      cuts: own.length,
      sessions: new Set(own.map(({ session }) => session)).size,
      beforeTokens: medianOf(own.map(({ beforeTokens }) => beforeTokens)),
      afterTokens: medianOf(own.map(({ afterTokens }) => afterTokens)),
      rewrittenTokens: medianOf(own.map(({ rewritten }) => rewritten?.tokens)),
      unseenTokens: medianOf(own.map(({ unseenTokens }) => unseenTokens)),
      dollars: medianOf(own.map(({ rewritten }) => (rewritten?.match === 'unknown' ? undefined : rewritten?.dollars))),
      callsAfter: medianOf(own.map(({ callsAfter }) => callsAfter)),
      needed: neededOf(own),
    }))
    .sort((one, other) => other.cuts - one.cuts);
}
