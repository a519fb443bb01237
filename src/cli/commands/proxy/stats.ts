import { type Command, Option } from 'commander';
import { DAY_MS } from '../../../durations.ts';
import { callHistory } from '../../../proxy/ledger/call-history.ts';
import type { LedgerNumbers } from '../../../proxy/ledger/contract.ts';
import { CALLS_FOR_TAIL, copiedWords, money, NET_WORDS, netWords } from '../../../proxy/page/page-words.ts';
import { accountRows, changeSentence } from '../../../report/account-words.ts';
import { compact, compactTokens, counted, duration, grouped, percent } from '../../../report/figures.ts';
import { unpricedNote } from '../../../report/unpriced-parts.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';
import { applySettingsOfModels } from '../../options/setting-sources.ts';
import { hanging, rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import { printable, printJson, type Screen, terminal, UsageError } from '../../terminal/terminal.ts';
import { pausesLine } from './cache-lines.ts';
import { leftAloneLines, summaryLine } from './summary-line.ts';

const MAX_REASONS = 10;
const NET_LEGEND =
  'Saved: what the tokens would have cost in each call that does not have them. Rewritten: the cache written again because of them. Net: the difference.';
const REMOVED_LEGEND =
  'The row of density has all that was not read from the cache, up to the size of the call before. Rewritten above is less where new text took the place of removed text in that size.';

interface StatsOptions {
  readonly days: string;
  readonly json?: boolean;
  readonly whyNot?: boolean;
  readonly page?: boolean;
  readonly open?: boolean;
}

async function stats({ days: given, json = false, whyNot = false, page = false, open = false }: StatsOptions) {
  if (page || open) return (await import('./print-page.ts')).printPage({ open, json });
  const days = Number(given);
  if (!(days > 0)) throw new UsageError(`Expected \`--days\` above 0, got \`${given}\`.`);
  await applySettingsOfModels();
  const history = await callHistory(liveFolder(), Date.now() - days * DAY_MS);
  const groups = [...history.agents].map(([name, { isShadow, ledger }]) => ({ name, isShadow, ...ledger.numbers() }));
  const { reasons } = history.all.numbers();
  const allTime = history.allTime.numbers();
  const { out } = terminal();
  if (json) {
    // What the page lists row by row is in the log of calls.
    const agents = groups.map(({ name: agent, isShadow, removed: _, reasons: __, conversations, ...numbers }) => {
      const talks = conversations.map(({ points: ___, ...one }) => one);
      return { agent, isShadow, ...numbers, conversations: talks };
    });
    const { calls, promptTokens, savedTokens, netDollars, unpricedCalls } = allTime;
    return printJson({
      days,
      allTime: { calls, promptTokens, savedTokens, netDollars, unpricedCalls },
      agents,
      reasons,
    });
  }
  if (allTime.calls > 0)
    await out.print(`${out.colors.bold(wrapped(`In all: ${totalWords(allTime)}.`, out.columns))}\n\n`);
  if (groups.length === 0)
    return out.print(`No call went through in ${counted(days, 'day')}. Start an agent with \`density wrap claude\`.\n`);
  if (allTime.calls > 0 || groups.length > 1) await out.print(`${counted(days, 'day')}:\n`);
  if (whyNot) {
    for (const { name, conversations } of groups) await out.print(whyNotLines(name, conversations, out));
    return;
  }
  for (const { name, isShadow, ...numbers } of groups) await out.print(agentLines(name, numbers, isShadow, out));
  if (reasons.length > 0)
    await out.print(
      `\n${wrapped('Why results were shortened (each counted once; above, "left out" counts it again at every later call)', out.columns)}\n`,
    );
  for (const { reason, results, tokens } of reasons.slice(0, MAX_REASONS))
    await out.print(`${hanging(`  ${results} × `, `${printable(reason)} (${compactTokens(tokens)})`, out.columns)}\n`);
}

/** What all calls of all time saved, in a few words. */
function totalWords(numbers: LedgerNumbers): string {
  const { calls, promptTokens, savedTokens, knownSavedTokens, dollars, netDollars, unpricedCalls } = numbers;
  const share = percent(knownSavedTokens, promptTokens + knownSavedTokens);
  // A person on a plan pays no list prices, but may compare shares.
  const ofBill = netDollars > 0 ? ` (${percent(netDollars, dollars + netDollars)} of the bill)` : '';
  return [
    ...(unpricedCalls < calls ? [`${netWords(netDollars, false)} at list prices${ofBill}`] : []),
    `${compactTokens(savedTokens)} left out${promptTokens > 0 ? ` (${share})` : ''}`,
    counted(calls, 'call'),
  ].join(' · ');
}

/** What was not pruned in the conversations of an agent, the last used one first. */
function whyNotLines(name: string, conversations: LedgerNumbers['conversations'], out: Screen): string {
  const lines = conversations.flatMap((one) =>
    leftAloneLines(one).map((line) => hanging('  ', `${one.conversation}: ${printable(line)}`, out.columns)),
  );
  const all = lines.length === 0 ? ['  Nothing that a setting would change.'] : lines.slice(0, MAX_REASONS);
  return `${[out.colors.bold(printable(name)), ...all].join('\n')}\n`;
}

function agentLines(name: string, numbers: LedgerNumbers, isShadow: boolean, out: Screen): string {
  const { net, account, changes, regrets, p99AddedMs, refused, copiedMarkers } = numbers;
  const netRows = net.map(({ cause, results, savedTokens, savedDollars, rewriteDollars, netDollars }) => [
    NET_WORDS[cause],
    String(results),
    compact(savedTokens),
    money(savedDollars),
    money(rewriteDollars),
    money(netDollars),
  ]);
  const accountRow = accountRows(account).map(({ words, calls, amount, dollars }) => [
    words,
    grouped(calls),
    amount,
    percent(dollars, numbers.dollars),
    money(dollars),
  ]);
  const changed = [...pausesLine(numbers), ...changes.slice(0, MAX_REASONS).map(changeSentence)].map(printable);
  const copied = copiedWords(copiedMarkers);
  const facts = [
    ...(numbers.calls >= CALLS_FOR_TAIL ? [`added at the 99th percentile: ${duration(p99AddedMs)}`] : []),
    `regrets: ${counted(regrets.length, 'file')} needed again`,
    ...(copied === '' ? [] : [`copied markers: ${copied}`]),
    ...unpricedNote(numbers.unpricedParts ?? []),
    ...(refused > 0 ? [`refused: ${counted(refused, 'changed request')}, sent again as it was`] : []),
  ];
  const lines = [
    out.colors.bold(printable(name)),
    hanging('  ', summaryLine(numbers, isShadow), out.columns),
    ...table(isShadow ? 'net, would be' : 'net', ['results', 'tokens', 'saved', 'rewritten', 'net'], netRows, out),
    ...(net.length > 0 ? legend(NET_LEGEND, out) : []),
    ...table('what for', ['calls', 'tokens', 'of the bill', 'cost'], accountRow, out),
    ...(account.pruned ? legend(REMOVED_LEGEND, out) : []),
    ...(changed.length > 0 ? ['', ...changed.map((line) => hanging('  ', line, out.columns))] : []),
    '',
    hanging('  ', facts.join(' · '), out.columns),
  ];
  return `${lines.join('\n')}\n`;
}

const legend = (text: string, out: Screen): string[] =>
  wrapped(text, out.columns - 2)
    .split('\n')
    .map((line) => `  ${out.colors.dim(line)}`);

/** The lines of a table after an empty one; none without rows. */
function table(title: string, titles: readonly string[], rows: readonly (readonly string[])[], out: Screen): string[] {
  if (rows.length === 0) return [];
  const columns = [{ title, shrink: 'end' as const }, ...rightAligned(...titles)];
  const lines = tableLines(columns, rows, { columns: out.columns - 2, heading: out.colors.dim });
  return ['', ...lines.map((line) => `  ${line}`)];
}

/** `density stats`: what the proxy did. */
export function defineStats(command: Command): void {
  command
    .description(
      'Shows what `density wrap` and `density proxy` did: calls, tokens, net money by cause, what the money was spent on, regrets, and why results were shortened. The page shows the same live, with each removed text, while a proxy runs; its address contains a secret.',
    )
    .option('--days <days>', 'the last days only', '30')
    .addOption(
      new Option(
        '--why-not',
        'show the text that was not pruned at the last call of each conversation, and the setting that would change that',
      ).conflicts('json'),
    )
    .option('--page', 'print the address of the page of the running proxy')
    .option('--open', 'open this page in the default browser')
    .option('--json', 'one JSON object; with --page one line for each running proxy')
    .action(stats);
}
