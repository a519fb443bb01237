import path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { groupBy } from '../../../content/group-by.ts';
import { MISS_CAUSES } from '../../../lab/recorded-bill.ts';
import { compact, counted, grouped, percent } from '../../../report/figures.ts';
import { sessionPath } from '../../options/session-path.ts';
import { printable } from '../../terminal/printable.ts';
import { rightAligned, tableLines } from '../../terminal/table.ts';
import { terminal } from '../../terminal/terminal.ts';
import { type BillTotals, billTotals } from './bill-totals.ts';
import { type BilledCall, type BilledSessions, billedSessions } from './billed-sessions.ts';

const GROUPS = ['session', 'project', 'agent', 'model', 'day'] as const;
type Group = (typeof GROUPS)[number];

const keyOf = (call: BilledCall, group: Group): string => {
  if (group === 'model') return call.model;
  if (group === 'day') return call.atMs === undefined ? 'unknown' : new Date(call.atMs).toISOString().slice(0, 10);
  return call[group];
};

const dollars = (amount: number): string => `${amount < 0 ? '−' : ''}$${Math.abs(amount).toFixed(2)}`;

const CAUSE_WORDS: Readonly<Record<(typeof MISS_CAUSES)[number], string>> = {
  coldStart: 'first call of a session',
  compaction: 'the agent continued from a summary',
  modelSwitch: 'another model',
  prefixChanged: 'the agent changed earlier entries',
  expiry: 'the cache had expired',
  lost: 'lost by the provider (nothing recorded explains it)',
};

function totalsTable(rows: readonly (readonly [name: string, totals: BillTotals])[], group: Group): string[] {
  const { out } = terminal();
  const cells = rows.map(([name, totals]) => [
    printable(group === 'session' ? path.basename(name) : name),
    grouped(totals.calls),
    grouped(totals.promptTokens),
    percent(totals.cachedTokens, totals.promptTokens),
    grouped(totals.outputTokens),
    dollars(totals.missDollars),
    dollars(totals.dollars),
  ]);
  return tableLines(
    [{ title: group, shrink: 'start' }, ...rightAligned('calls', 'input', 'cached', 'output', 'misses', 'bill')],
    cells,
    { columns: out.columns, heading: out.colors.dim },
  );
}

/** Sentences about prices, misses, and what something else would have made of the bill. */
function facts(totals: BillTotals): string[] {
  const misses = MISS_CAUSES.filter((cause) => totals.misses[cause].calls > 0).map((cause) => {
    const { calls, tokens, dollars: cost } = totals.misses[cause];
    return `  ${CAUSE_WORDS[cause]}: ${counted(calls, 'call')}, ${grouped(tokens)} tokens, ${dollars(cost)}`;
  });
  return [
    ...(misses.length > 0 ? ['Input that was not read from the prompt cache, and what it cost more:', ...misses] : []),
    ...(totals.constantPromptTokens > 0
      ? [
          `System prompt and tool definitions (recorded minus counted in first calls): ${percent(totals.constantTokens, totals.constantPromptTokens)} of the input of ${grouped(totals.constantCalls)} of ${counted(totals.calls, 'call')}, ${compact(totals.constantTokens / totals.constantCalls)} tokens a call.`,
        ]
      : []),
    ...(totals.tierDollars > 0
      ? [
          `${counted(totals.tierCalls, 'call')} above the limit of a price tier cost ${dollars(totals.tierDollars)} more.`,
        ]
      : []),
    ...(totals.writtenTokens > 0
      ? [
          `A cache of one hour would have ${totals.hourSaving >= 0 ? 'saved' : 'cost'} ${dollars(Math.abs(totals.hourSaving))}${totals.hourSaving >= 0 ? '' : ' more'}.`,
        ]
      : []),
    ...totals.guessed.map(([name, model]) => `Prices of ${printable(name)} are a guess: those of ${model}.`),
    ...totals.unknown.map((name) => `No price is known for ${printable(name)}: its calls are not in the bill.`),
  ];
}

/** What pruning would have made of the bill. */
function prunedFact({ sessions, pruned }: BilledSessions): string[] {
  if (pruned === undefined) return [];
  const { without, recommended } = pruned;
  const change = `${recommended > without ? '+' : '−'}${((100 * Math.abs(recommended - without)) / without).toFixed(1)}%`;
  return [
    `With \`recommended\`, the same calls and pauses: ${change} (${dollars(recommended)} instead of ${dollars(without)}, both simulated; ${pruned.sessions} of ${counted(sessions, 'session')} ${pruned.sessions === 1 ? 'has' : 'have'} a price).`,
  ];
}

async function bill(names: readonly string[], { by = 'model', json }: { by?: Group; json?: boolean }): Promise<void> {
  const { out } = terminal();
  const named =
    names.length === 0 ? [await sessionPath(undefined)] : await Promise.all(names.map((name) => sessionPath(name)));
  const billed = await billedSessions(named);
  const { calls, sessions, silent } = billed;
  const all = billTotals(calls);
  const groups = [...groupBy(calls, (call) => keyOf(call, by))]
    .map(([name, own]) => [name, billTotals(own)] as const)
    .sort(([one, left], [other, right]) => (by === 'day' ? (one < other ? -1 : 1) : right.dollars - left.dollars));
  if (json) {
    for (const [name, totals] of groups) await out.print(`${JSON.stringify({ [by]: name, ...totals })}\n`);
    return;
  }
  const without = silent === 0 ? '' : ` ${counted(silent, 'session')} ${silent === 1 ? 'has' : 'have'} no usage.`;
  const heading = `${dollars(all.dollars)} for ${counted(all.calls, 'call')} of ${counted(sessions, 'session')}, at list prices of their day.${without}`;
  if (all.calls === 0) {
    await out.print(`No usage is recorded in ${counted(silent, 'session')}.\n`);
    return;
  }
  await out.print(
    `${[out.colors.bold(heading), '', ...totalsTable(groups, by), '', ...facts(all), ...prunedFact(billed)].join('\n')}\n`,
  );
}

/** `density bill`: what recorded sessions cost. */
export function defineBill(command: Command): void {
  command
    .description(
      'Shows what sessions cost, from the usage that is recorded in them: input, cached input, output, and why input was not read from the prompt cache. Without a name: the latest session. Changes nothing and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .addOption(new Option('--by <what>', 'one row for each').choices(GROUPS).default('model'))
    .option('--json', 'one JSON object per line, for each row')
    .action(bill);
}
