import type { CompressionOutcome, DensityOutcome, GateReport } from '../../../gate/report.ts';
import { compactTokens, counted } from '../../../report/figures.ts';

/** `−12.4k tokens`; `+` where it grew. */
export const tokenChange = (before: number, after: number): string =>
  `${after > before ? '+' : '−'}${compactTokens(Math.abs(after - before))}`;

function densityParts(density: DensityOutcome): string[] {
  if (density.kind !== 'applied') return [];
  const { readWritePairsPruned, fileDeduplicationsPruned, recencyPruned } = density.metadata;
  const part = (count: number, one: string, many?: string): string[] => (count > 0 ? [counted(count, one, many)] : []);
  return [
    ...part(readWritePairsPruned, 'stale read'),
    ...part(fileDeduplicationsPruned, 'duplicate'),
    ...part(recencyPruned, 'old result'),
  ];
}

function compressionParts(compression: CompressionOutcome): string[] {
  if (compression.kind === 'compressed') return [`compressed with ${compression.metadata.strategyUsed}`];
  return compression.kind === 'failed' ? [`${compression.strategy} failed`] : [];
}

/** What a gate run did, and why edits apply now or wait; `undefined` if it found nothing to do. */
export function gateNote(report: GateReport): string | undefined {
  const [done, { density }] = [gateLine(report), report];
  const reason = density.kind === 'applied' || density.kind === 'waiting' ? density.reason : undefined;
  return done === undefined || reason === undefined ? (done ?? reason) : `${done}; ${reason}`;
}

/** `gateNote` of a gate run that did something; nothing of any other. */
export const doneNotes = (report: GateReport): readonly string[] =>
  gateLine(report) === undefined ? [] : [gateNote(report) ?? ''];

/** What a gate run did, for example `−12.4k tokens: 3 stale reads, 1 duplicate`; undefined if it did nothing. */
export function gateLine({
  density,
  compression,
  enforcement,
  tokensBefore,
  tokensAfter,
}: GateReport): string | undefined {
  const enforced = enforcement.kind === 'enforced' ? enforcement : undefined;
  const { entriesDropped = 0, entriesShrunk = 0 } = enforced?.lastResort ?? {};
  const parts = [
    ...densityParts(density),
    ...(enforced?.density ? densityParts(enforced.density) : []),
    ...compressionParts(compression),
    ...(enforced?.compression?.kind === 'compressed' ? compressionParts(enforced.compression) : []),
    ...(entriesDropped > 0 ? [`${counted(entriesDropped, 'oldest entry', 'oldest entries')} dropped`] : []),
    ...(entriesShrunk > 0 ? [`${counted(entriesShrunk, 'result')} shortened`] : []),
  ];
  return parts.length === 0
    ? undefined
    : `${tokenChange(tokensBefore, tokensAfter)}: ${[...new Set(parts)].join(', ')}`;
}
