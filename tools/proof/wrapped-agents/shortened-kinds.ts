import type { PruneReport } from '../../../src/live/contract.ts';

/** How many things of each kind were shortened, each once. */
export type ShortenedKinds = Readonly<Record<(typeof KINDS)[number][0] | 'results', number>>;

/** By how a report names what was changed. */
const KINDS = [
  ['reports', /^report of /],
  ['skills', /^skill /],
  ['attached files', /^attached file /],
  ['thoughts', /^thinking\b/],
] as const;

export function shortenedKinds(reports: readonly PruneReport[]): ShortenedKinds {
  const found = new Map(reports.flatMap(({ changed }) => changed.map(({ callId, what }) => [callId, what])));
  const count = (pattern: RegExp): number => [...found.values()].filter((what) => pattern.test(what)).length;
  const named = Object.fromEntries(KINDS.map(([name, pattern]) => [name, count(pattern)]));
  const others = Object.values(named).reduce((sum, one) => sum + one, 0);
  return { results: found.size - others, ...named } as ShortenedKinds;
}
