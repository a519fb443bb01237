import path from 'node:path';
import { addTo, groupBy } from '../../../content/group-by.ts';
import { DAY_MS, HOUR_MS } from '../../../durations.ts';
import type { CacheMiss } from '../../../economics/cache-miss.ts';
import { missingPriceLine } from '../../../economics/models/missing-price.ts';
import type { WarmWorth } from '../../../economics/warm/warm-worth.ts';
import type { BilledFile } from '../../../lab/files/billed-file.ts';
import type { FileAnswers, FileQuestion } from '../../../lab/files/file-answers.ts';
import { type ChangedPrompt, changedPrompt } from '../../../proxy/ledger/changed-prompt.ts';
import { changeSentence } from '../../../report/account-words.ts';
import { BASIS, billChange } from '../../../report/basis-words.ts';
import { contradictedNote } from '../../../report/contradicted-calls.ts';
import { compactTokens, counted, dollars, grouped, percent } from '../../../report/figures.ts';
import { unpricedNote } from '../../../report/unpriced-parts.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';
import { askedFiles } from '../../options/asked-files.ts';
import { copiedNote } from '../../options/copies/copied-note.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { listedNames, MESSAGE_COLUMN } from '../../picker/listed-names.ts';
import { ranked, rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';
import type { BILL_GROUPS, BillGroup, BillTime } from './bill-groups.ts';
import { type BilledCall, type BillTotals, billTotals } from './bill-totals.ts';
import { firstOfCopies } from './first-of-copies.ts';
import { accountTable, partRows, partsTable } from './part-rows.ts';

/** What a row can be about, of a call that is billed here or elsewhere. */
type Keys = Pick<BilledCall, Exclude<BillGroup, BillTime> | 'atMs'>;

/** `2026-11-26`; the Monday of a week; `2026-11` for a month. */
function timeKey(atMs: number | undefined, group: BillTime): string {
  if (atMs === undefined) return 'unknown';
  const daysSinceMonday = group === 'week' ? (new Date(atMs).getUTCDay() + 6) % 7 : 0;
  return new Date(atMs - daysSinceMonday * DAY_MS).toISOString().slice(0, group === 'month' ? 7 : 10);
}

const isTime = (group: BillGroup): group is BillTime => group === 'day' || group === 'week' || group === 'month';

const keyOf = (call: Keys, group: BillGroup): string => {
  if (group === 'model') return call.model;
  if (isTime(group)) return timeKey(call.atMs, group);
  return call[group];
};

/** More are only in the JSON. */
const MAX_CHANGES = 5;
/** Dollars below this are printed as `$0.00`. */
const LEAST_DOLLARS = 0.005;

/** These dollars; `–` where there are calls and none has a price. */
const pricedDollars = ({ calls, unpricedCalls }: BillTotals, amount: number): string =>
  calls > 0 && unpricedCalls === calls ? '–' : dollars(amount);

function totalsTable(rows: readonly (readonly [name: string, totals: BillTotals])[], group: BillGroup): string[] {
  const { out } = terminal();
  const names = group === 'session' ? listedNames() : undefined;
  const messages = rows.map(([name]) => names?.messageOf(name) ?? '');
  const hasMessages = messages.some((message) => message !== '');
  const cells = rows.map(([name, totals], row) => [
    names?.nameOf(name) ?? printable(name),
    grouped(totals.calls),
    grouped(totals.promptTokens),
    percent(totals.cachedTokens, totals.promptTokens),
    grouped(totals.outputTokens),
    pricedDollars(totals, totals.missedDollars),
    pricedDollars(totals, totals.dollars),
    ...(hasMessages ? [messages[row]!] : []),
  ]);
  return tableLines(
    [
      { title: group, shrink: 'start' },
      ...rightAligned('calls'),
      ...ranked(3, rightAligned('input', 'cached')),
      ...ranked(2, rightAligned('output')),
      ...ranked(1, rightAligned('rewritten')),
      ...rightAligned('bill'),
      ...(hasMessages ? [MESSAGE_COLUMN] : []),
    ],
    cells,
    { columns: hasMessages ? out.allColumns : out.columns, heading: out.colors.dim },
  );
}

/** Sentences about prices, misses, and what something else would have made of the bill. */
function facts(totals: BillTotals): string[] {
  const missing = missingPriceLine(totals.unknown);
  return [
    ...(totals.constantPromptTokens > 0
      ? [
          `System prompt and tool definitions (what providers counted beyond the recorded text of first calls): ${percent(totals.constantTokens, totals.constantPromptTokens)} of the input${totals.constantCalls < totals.calls ? ` of ${grouped(totals.constantCalls)} of ${counted(totals.calls, 'call')}` : ''}, ${compactTokens(totals.constantTokens / totals.constantCalls)} a call.`,
        ]
      : []),
    ...(totals.tierDollars > 0
      ? [
          `${counted(totals.tierCalls, 'call')} above the limit of a price tier cost ${dollars(totals.tierDollars)} more.`,
        ]
      : []),
    ...(totals.writtenTokens > 0 && Math.abs(totals.hourSaving) >= LEAST_DOLLARS
      ? [
          `If the cache kept every prompt for one hour, the bill would have been ${dollars(Math.abs(totals.hourSaving))} ${totals.hourSaving >= 0 ? 'lower' : 'higher'}.`,
        ]
      : []),
    ...totals.guessed.map(([name, model]) => `Prices of ${printable(name)} are a guess: those of ${model}.`),
    ...(missing === undefined ? [] : [missing]),
  ];
}

/** What agents changed of what was in the cache, as the log of wrapped calls says. */
const changeFacts = ({ changes }: BillTotals): string[] =>
  changes.slice(0, MAX_CHANGES).map((change) => `${changeSentence(change)}.`);

const usageKey = (promptTokens: number, cachedTokens: number, outputTokens: number): string =>
  [promptTokens, cachedTokens, outputTokens].join(' ');

/**
 * What the log of `density wrap` and `density proxy` says that a call changed of what was sent before. The provider's usage names the
 * call: a recording and the log have no id in common.
 */
async function changedUnderDensity(): Promise<(call: Pick<BilledCall, 'usage' | 'atMs'>) => ChangedPrompt | undefined> {
  const { loggedCalls } = await import('../../../proxy/ledger/call-history.ts');
  const changes = new Map<string, { at: number; changed: ChangedPrompt }[]>();
  for await (const call of loggedCalls(liveFolder())) {
    const { usage, at } = call;
    const changed = changedPrompt(call);
    if (usage === undefined || changed === undefined) continue;
    addTo(changes, usageKey(usage.promptTokens, usage.cachedTokens, usage.outputTokens), { at, changed });
  }
  return ({ usage, atMs }) => {
    const found = changes.get(usageKey(usage.promptTokens, usage.cachedTokens ?? 0, usage.completionTokens)) ?? [];
    return found.find(({ at }) => atMs === undefined || Math.abs(at - atMs) < HOUR_MS)?.changed;
  };
}

/** The calls, where a miss that a recording does not explain has the cause that the log of wrapped calls names. */
async function withLoggedChanges(calls: readonly BilledCall[]): Promise<readonly BilledCall[]> {
  const isUnexplained = ({ cause }: CacheMiss): boolean => cause === 'lost';
  if (!calls.some(({ misses }) => typeof misses !== 'string' && misses.some(isUnexplained))) return calls;
  const changedOf = await changedUnderDensity();
  return calls.map((call) => {
    const { misses } = call;
    if (typeof misses === 'string' || !misses.some(isUnexplained)) return call;
    const changed = changedOf(call);
    if (changed === undefined) return call;
    const { kind: cause } = changed;
    return { ...call, changed, misses: misses.map((miss) => (isUnexplained(miss) ? { ...miss, cause } : miss)) };
  });
}

/** What pings would have saved and cost, also if the agents had been left open. */
function warmFact(billed: readonly BilledFile[]): string[] {
  const known = billed.flatMap(({ warm }) => warm ?? []);
  const sum = (of: (warm: WarmWorth) => number): number => known.reduce((total, warm) => total + of(warm), 0);
  const pings = sum((warm) => warm.pings);
  if (pings === 0) return [];
  const [cost, saved] = [sum(({ pingDollars }) => pingDollars), sum(({ savedDollars }) => savedDollars)];
  const net = saved - cost;
  const leftOpen = sum(({ leftOpenDollars }) => leftOpenDollars);
  return [
    `With ${counted(pings, 'ping')} (the last request sent again shortly before its cache expires) in ${counted(known.length, 'session')}, the bill would have been ${dollars(Math.abs(net))} ${net >= 0 ? 'lower' : 'higher'}: ${dollars(saved)} saved, ${dollars(cost)} for pings; ${dollars(leftOpen)} more for pings if the agent had been left open after each session. Simulated at list prices; no provider was asked.`,
  ];
}

/** Where the numbers of sessions are that were pruned when they ran. */
function prunedFact(billed: readonly BilledFile[]): string[] {
  const count = billed.filter(({ isPruned }) => isPruned).length;
  if (count === 0) return [];
  const them = count === 1 ? 'it' : 'them';
  return [
    `${counted(count, 'session')} ran under density: what pruning saved in ${them} is in \`density stats\`, and no profile is simulated for ${them}.`,
  ];
}

function recommendedFact(billed: readonly BilledFile[]): string[] {
  const bills = billed.flatMap(({ bill }) => bill ?? []);
  if (bills.length === 0) return [];
  const sum = (of: (bill: (typeof bills)[number]) => number): number =>
    bills.reduce((total, bill) => total + of(bill), 0);
  const without = sum((bill) => bill.without);
  const recommended = sum((bill) => bill.recommended);
  const others = billed.filter(({ isPruned }) => !isPruned).length;
  const share = billChange(without, recommended);
  const change =
    share === undefined
      ? `about the same bill (${dollars(without)}`
      : `${share} ${BASIS.bill} (${dollars(recommended)} instead of ${dollars(without)}`;
  return [
    `With \`recommended\`, the same calls and pauses: ${change}, both simulated; ${bills.length} of ${counted(others, 'session')} ${bills.length === 1 ? 'has' : 'have'} a price). Compare these two with each other, not with the bill: they count the recorded text, price all calls of a session as its last model, and lose nothing of a cache within its lifetime.`,
  ];
}

export interface BillOptions {
  readonly by?: (typeof BILL_GROUPS)[number];
  readonly json?: boolean;
}

/**
 * Bills the named sessions on `threads` and prints the bill.
 * @throws UsageError for names without any session.
 */
export async function printBill(
  sessions: NamedSessions,
  { by: rowsBy = 'model', json }: BillOptions,
  threads: FileAnswers<FileQuestion, BilledFile>,
): Promise<void> {
  const { out } = terminal();
  const { results: read } = await askedFiles(sessions, {
    threads,
    label: 'billing',
    question: (file) => file,
    countsCalls: true,
  });
  const billed = read.filter(({ calls }) => calls.length > 0);
  const without = read.filter((file) => file.calls.length === 0 && file.contradicted.length === 0);
  const onlyCopies = without.filter((file) => file.copiedCalls.length > 0).length;
  const silent = without.length - onlyCopies;
  const isFirst = firstOfCopies();
  const named = billed.flatMap(({ path: session, project, agent, constantTokens, calls: own }): BilledCall[] =>
    own.filter(isFirst).map((call) => ({
      ...call,
      session,
      project,
      agent,
      constantTokens: 'answerId' in call ? undefined : constantTokens,
    })),
  );
  const contradicted = read.flatMap(({ path: session, project, agent, contradicted: calls }) =>
    calls.map((call) => ({ ...call, session, project, agent })),
  );
  const calls = await withLoggedChanges(named);
  const copies = read.flatMap(({ path: session, project, agent, copiedCalls }): Keys[] =>
    copiedCalls.map((call) => ({ ...call, session, project, agent })),
  );
  const all = billTotals(calls, copies.length, contradicted);
  if (json && rowsBy === 'part') return printJson(...partRows(all));
  const by = rowsBy === 'part' ? 'model' : rowsBy;
  const byKey = <Call extends Keys>(some: readonly Call[]) => groupBy(some, (call) => keyOf(call, by));
  const callsOf = byKey(calls);
  const copiesOf = byKey(copies);
  const contradictedOf = byKey(contradicted);
  const groups = [...new Set([callsOf, copiesOf, contradictedOf].flatMap((map) => [...map.keys()]))]
    .map(
      (name) =>
        [name, billTotals(callsOf.get(name) ?? [], copiesOf.get(name)?.length, contradictedOf.get(name))] as const,
    )
    .sort(([one, left], [other, right]) => (isTime(by) ? (one < other ? -1 : 1) : right.dollars - left.dollars));
  const notBelieved = contradictedNote(
    contradicted.map((call) => ({ ...call, session: printable(path.basename(call.session)) })),
  );
  if (json) return printJson(...groups.map(([name, totals]) => ({ [by]: name, ...totals })));
  if (all.calls === 0) {
    const none = silent === 0 ? [] : [`No usage is recorded in ${counted(silent, 'session')}.`];
    const said = [...none, ...notBelieved, ...copiedNote(all)].map((text) => wrapped(text, out.columns));
    return out.print(`${said.join('\n')}\n`);
  }
  const have = (count: number, what: string): string =>
    count === 0 ? '' : ` ${counted(count, 'session')} ${count === 1 ? 'has' : 'have'} ${what}.`;
  const others = `${have(onlyCopies, 'only copies of calls in others')}${have(silent, 'no usage')}`;
  const unpriced =
    all.unpricedCalls === 0
      ? ''
      : ` ${grouped(all.unpricedCalls)} of these calls ${all.unpricedCalls === 1 ? 'has' : 'have'} no price.`;
  const heading = `${pricedDollars(all, all.dollars)} for ${counted(all.calls, 'call')} of ${counted(billed.length, 'session')}, at list prices of their day.${unpriced}${others}`;
  const table = rowsBy === 'part' ? partsTable(all, out) : [...totalsTable(groups, by), '', ...accountTable(all, out)];
  const said = [
    ...notBelieved,
    ...copiedNote(all),
    ...unpricedNote(all.unpriced),
    ...changeFacts(all),
    ...facts(all),
    ...warmFact(billed),
    ...prunedFact(billed),
    ...recommendedFact(billed),
  ].map((text) => wrapped(text, out.columns));
  await out.print(`${[out.colors.bold(wrapped(heading, out.columns)), '', ...table, '', ...said].join('\n')}\n`);
}
