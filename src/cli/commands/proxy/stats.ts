import path from 'node:path';
import type { Command } from 'commander';
import { groupBy } from '../../../content/group-by.ts';
import type { LoggedCall } from '../../../proxy/call-log.ts';
import { UsageError } from '../../terminal/failure.ts';
import { terminal } from '../../terminal/terminal.ts';
import { callSums } from './call-sums.ts';
import { callsSince } from './calls-since.ts';
import { liveFolder } from './live-options.ts';
import { summaryLine } from './summary-line.ts';

const DAY_MS = 24 * 60 * 60_000;

async function stats({ days: given, json = false }: { days: string; json?: boolean }): Promise<void> {
  const days = Number(given);
  if (!(days > 0)) throw new UsageError(`Expected \`--days\` above 0, got \`${given}\`.`);
  const calls = await callsSince(path.join(liveFolder(), 'calls.jsonl'), Date.now() - days * DAY_MS);
  const groups = groupBy(calls, ({ agent, isShadow }) => `${agent}${isShadow ? ' (shadow)' : ''}`);
  const { out } = terminal();
  if (json) {
    const agents = [...groups].map(([name, its]) => ({ agent: name, isShadow: its[0]!.isShadow, ...callSums(its) }));
    await out.print(`${JSON.stringify({ days, agents, reasons: reasonsOf(calls) })}\n`);
    return;
  }
  if (calls.length === 0) {
    await out.print(`No call went through in ${days} days. Start an agent with \`density wrap claude\`.\n`);
    return;
  }
  for (const [name, its] of groups) {
    await out.print(`${out.colors.bold(name)}\n  ${summaryLine(callSums(its), its[0]!.isShadow)}\n`);
  }
  const reasons = reasonsOf(calls).slice(0, 10);
  if (reasons.length > 0) await out.print('\nWhy results were shortened\n');
  for (const { reason, results, tokens } of reasons) await out.print(`  ${results} × ${reason} (${tokens} tokens)\n`);
}

interface ReasonSum {
  readonly reason: string;
  readonly results: number;
  readonly tokens: number;
}

/** Reasons of all changed results, the most frequent first. */
function reasonsOf(calls: readonly LoggedCall[]): ReasonSum[] {
  const changed = calls.flatMap(({ report }) => report?.changed ?? []);
  return [...groupBy(changed, ({ reason }) => reason)]
    .map(([reason, its]) => ({
      reason,
      results: its.length,
      tokens: its.reduce((sum, one) => sum + one.savedTokens, 0),
    }))
    .sort((one, other) => other.results - one.results);
}

/** `density stats`: what the proxy did. */
export function defineStats(command: Command): void {
  command
    .description(
      'Shows what `density wrap` and `density proxy` did: calls, tokens, money, and why results were shortened.',
    )
    .option('--days <days>', 'the last days only', '30')
    .option('--json', 'one JSON object')
    .action(stats);
}
