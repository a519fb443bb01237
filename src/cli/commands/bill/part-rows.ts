import { CALL_PARTS, type CallPart } from '../../../economics/call-parts.ts';
import { accountRows, rowWords } from '../../../report/account-words.ts';
import { counted, dollars, grouped, percent } from '../../../report/figures.ts';
import { ranked, rightAligned, tableLines } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';
import type { BillTotals } from './bill-totals.ts';

const PART_WORDS: Readonly<Record<CallPart, readonly [words: string, unit: string]>> = {
  input: ['input', 'token'],
  cachedInput: ['cached input', 'token'],
  cacheWrites: ['cache writes', 'token'],
  longCacheWrites: ['cache writes for an hour or more', 'token'],
  output: rowWords('output'),
  service: rowWords('service'),
  region: rowWords('region'),
  peakHours: rowWords('peakHours'),
  innerCalls: rowWords('innerCalls'),
  serverTools: rowWords('serverTools'),
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

/** One row for each thing that the money was spent on; the dollars sum up to the bill. */
export function accountTable({ account, dollars: all }: BillTotals, out: Screen): string[] {
  const rows = accountRows(account).map(({ words, calls, amount, dollars: cost }) => [
    words,
    grouped(calls),
    amount,
    percent(cost, all),
    dollars(cost),
  ]);
  if (rows.length === 0) return [];
  const columns = [
    ...ranked(2, rightAligned('calls')),
    ...ranked(1, rightAligned('tokens')),
    ...rightAligned('of the bill', 'bill'),
  ];
  return tableLines([{ title: 'what for', shrink: 'end' }, ...columns], rows, {
    columns: out.columns,
    heading: out.colors.dim,
  });
}

/** The rows of parts as plain data, and those of what has no known price. */
export const partRows = (totals: BillTotals): readonly object[] => [
  ...billedParts(totals).map((part) => ({ part, ...totals.parts[part] })),
  ...totals.unpriced.map(({ part, name, count }) => ({ part, name, count, dollars: null })),
];
