import {
  type AgentCut,
  agentCuts,
  agentSummaries,
  MIN_CUTS,
  namedCuts,
  neededOf,
} from '../src/cli/commands/bill/agent-cuts.ts';
import { NEED_KINDS } from '../src/lab/cuts/cut-losses.ts';
import { fileCuts } from '../src/lab/cuts/file-cuts.ts';
import { recordings } from './recordings.ts';
import { type Row, rowOf } from './row.ts';

/** The compactions and clearings of all recordings by agent: what docs/compactions.md shows. */
export async function run(): Promise<readonly Row[]> {
  const files = recordings().map(({ file }) => fileCuts(file));
  if (files.length === 0) return [];
  const all = agentCuts(files);
  const cuts = namedCuts(all);
  const rows = [
    rowOf('compactions.sessions', 'count', [files.length]),
    rowOf('compactions.cuts', 'count', [cuts.length]),
    rowOf('compactions.copies', 'count', [all.filter(({ kind, isCopy }) => kind !== 'fall' && isCopy).length]),
    rowOf('compactions.falls', 'count', [all.filter(({ kind }) => kind === 'fall').length]),
  ];
  for (const { agent, cuts: n } of agentSummaries(cuts)) {
    const own = cuts.filter((cut) => cut.agent === agent);
    rows.push(rowOf(`compactions.${agent}.cuts`, 'count', [n]));
    if (n >= MIN_CUTS) rows.push(...claims(agent, own));
  }
  return rows;
}

/** Figures over cuts: median, least and most; and sums of what was needed later. */
function claims(agent: string, cuts: readonly AgentCut[]): readonly Row[] {
  const of = (name: string, unit: Row['unit'], value: (cut: AgentCut) => number | undefined): Row =>
    rowOf(
      `compactions.${agent}.${name}`,
      unit,
      cuts.map(value).filter((one) => one !== undefined),
    );
  const needed = neededOf(cuts);
  return [
    of('before', 'tokens', ({ beforeTokens }) => beforeTokens),
    of('after', 'tokens', ({ afterTokens }) => afterTokens),
    of('rewritten', 'tokens', ({ rewritten }) => rewritten?.tokens),
    of('price', 'dollars', ({ rewritten }) => (rewritten?.match === 'unknown' ? undefined : rewritten?.dollars)),
    of('calls', 'count', ({ callsAfter }) => callsAfter),
    ...NEED_KINDS.flatMap((kind) => [
      rowOf(`compactions.${agent}.${kind}.uses`, 'count', [needed[kind].uses]),
      rowOf(`compactions.${agent}.${kind}.needed`, 'count', [needed[kind].regrets]),
    ]),
  ];
}
