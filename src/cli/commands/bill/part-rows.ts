import { CALL_PARTS, type CallPart } from '../../../economics/call-parts.ts';
import { counted, dollars, percent } from '../../../report/figures.ts';
import { rightAligned, tableLines } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';
import type { BillTotals } from './bill-totals.ts';

const PART_WORDS: Readonly<Record<CallPart, readonly [words: string, unit: string]>> = {
  input: ['input', 'token'],
  cachedInput: ['cached input', 'token'],
  cacheWrites: ['cache writes', 'token'],
  longCacheWrites: ['cache writes for an hour or more', 'token'],
  output: ['output', 'token'],
  service: ['fast mode and other services', 'call'],
  region: ['region', 'call'],
  peakHours: ['peak hours', 'call'],
  innerCalls: ['inner calls (compaction, advisor, declined)', 'call'],
  serverTools: ['tools of the provider', 'use'],
};

/** The parts of which something was billed, in order. */
export const billedParts = ({ parts }: Pick<BillTotals, 'parts'>): readonly CallPart[] =>
  CALL_PARTS.filter((part) => parts[part].count > 0);

/** One row for each part; the dollars sum up to the bill. */
export function partsTable(totals: BillTotals, out: Screen): string[] {
  const rows = billedParts(totals).map((part) => {
    const [words, unit] = PART_WORDS[part];
    const { count, dollars: cost } = totals.parts[part];
    return [words, counted(count, unit), percent(cost, totals.dollars), dollars(cost)];
  });
  return tableLines([{ title: 'part', shrink: 'end' }, ...rightAligned('billed', 'of the bill', 'bill')], rows, {
    columns: out.columns,
    heading: out.colors.dim,
  });
}

/** The same rows as plain data, and those of what has no known price. */
export const partRows = (totals: BillTotals): readonly object[] => [
  ...billedParts(totals).map((part) => ({ part, ...totals.parts[part] })),
  ...totals.unpriced.map(({ part, name, count }) => ({ part, name, count, dollars: null })),
];

const BESIDE = ['service', 'region', 'peakHours', 'innerCalls', 'serverTools'] as const;

/** A sentence about what the bill has beside tokens at standard prices; none if it has nothing else. */
export function besideNote(totals: BillTotals): readonly string[] {
  const own = billedParts(totals).filter((part) => BESIDE.some((one) => one === part));
  if (own.length === 0) return [];
  const listed = own.map((part) => {
    const [words, unit] = PART_WORDS[part];
    const { count, dollars: cost } = totals.parts[part];
    return `${words} ${dollars(cost)} (${counted(count, unit)})`;
  });
  return [`Beside tokens at standard prices, the bill has: ${listed.join(', ')}. \`--by part\` has all parts.`];
}
