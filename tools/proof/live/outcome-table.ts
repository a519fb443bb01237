import { priceOf } from '../../../src/economics/prices.ts';
import type { Outcome } from './outcomes.ts';

const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number =>
  outcomes.reduce((all, outcome) => all + of(outcome), 0);
const isOverOnePercent = ({ dollars, dollarsBefore }: Outcome): boolean => dollars > dollarsBefore * 1.01;

function changeOf(outcomes: readonly Outcome[]): string {
  const before = sum(outcomes, (one) => one.dollarsBefore);
  const after = sum(outcomes, (one) => one.dollars);
  const percent = before === 0 ? 0 : (100 * (after - before)) / before;
  return `$${before.toFixed(2)} → $${after.toFixed(2)} (${percent.toFixed(2)}%)`;
}

const isHigher = (outcomes: readonly Outcome[]): boolean =>
  sum(outcomes, (one) => one.dollars) > sum(outcomes, (one) => one.dollarsBefore) * 1.000001;

function causesOf(outcomes: readonly Outcome[]): string {
  const tokens = new Map<string, number>();
  for (const { savedTokens } of outcomes)
    for (const [cause, count] of Object.entries(savedTokens)) tokens.set(cause, (tokens.get(cause) ?? 0) + count);
  const causes = [...tokens].sort(([, one], [, other]) => other - one);
  return causes.map(([cause, count]) => `${cause} ${Math.round(count / 1000)}k`).join(', ') || 'nothing';
}

const FREE: ReadonlySet<string> = new Set(['cold', 'unsent']);

/** Epochs that cost something, or that may, if the cost is not known. */
const paidUnpriced = ({ model, epochs }: Outcome): number =>
  priceOf(model.split(' ')[0]!).match === 'unknown'
    ? Object.entries(epochs).reduce((all, [cause, count]) => all + (FREE.has(cause) ? 0 : count), 0)
    : 0;

/** Prints the outcomes per agent and model, then per model, then all; returns true if the proof holds. */
export function reportOutcomes(outcomes: readonly Outcome[]): boolean {
  const groups = (key: (outcome: Outcome) => string): [string, Outcome[]][] => {
    const found = new Map<string, Outcome[]>();
    for (const outcome of outcomes) found.set(key(outcome), [...(found.get(key(outcome)) ?? []), outcome]);
    return [...found].sort(([one], [other]) => one.localeCompare(other));
  };
  for (const { play, refusal, changedPrefixes, changedByRestart, failures } of outcomes) {
    if (refusal !== undefined) console.log(`${play}: ${refusal}`);
    if (changedPrefixes > 0) console.log(`${play}: ${changedPrefixes} changed prefixes`);
    if (changedByRestart > 0) console.log(`${play}: ${changedByRestart} requests changed by a restart`);
    if (failures > 0) console.log(`${play}: ${failures} requests not looked at`);
  }
  const sets = groups(({ agent, model }) => `${agent.padEnd(16)} ${model}`);
  for (const [name, own] of [...sets, ...groups(({ model }) => `${'all'.padEnd(16)} ${model}`)]) {
    const over = own.filter(isOverOnePercent).length;
    console.log(
      `${name.padEnd(52)} ${String(own.length).padStart(4)} sessions ${String(sum(own, (one) => one.calls)).padStart(6)} calls ${changeOf(own)}${isHigher(own) ? ' HIGHER' : ''}; over 1%: ${over}; tokens not sent: ${causesOf(own)}`,
    );
  }
  const counts = {
    'refused because of the pruner': sum(outcomes, ({ refused }) => refused),
    'thinking blocks lost': sum(outcomes, ({ droppedThinking }) => droppedThinking),
    'prefixes changed outside an epoch': sum(outcomes, ({ changedPrefixes }) => changedPrefixes),
    'requests changed by a restart': sum(outcomes, ({ changedByRestart }) => changedByRestart),
    'epochs of a model without a price while its cache may be warm': sum(outcomes, paidUnpriced),
    'not looked at': sum(outcomes, ({ failures }) => failures),
  };
  const onlyPruned = sum(outcomes, (one) => one.onlyPruned);
  const higher = sets.filter(([, own]) => isHigher(own)).length;
  const over = outcomes.filter(isOverOnePercent).length;
  console.log(`\n${outcomes.length} plays, ${sum(outcomes, ({ calls }) => calls)} calls, ${changeOf(outcomes)}`);
  for (const [name, count] of Object.entries(counts)) console.log(`${count} ${name}`);
  console.log(`${onlyPruned} accepted only with the pruner, and not billed from the first of them on`);
  console.log(`${higher} of ${sets.length} sets of an agent and a model with a higher bill`);
  console.log(`${over} of ${outcomes.length} plays over 1% higher`);
  return Object.values(counts).every((count) => count === 0) && higher === 0 && over * 50 <= outcomes.length;
}
