import { groupBy } from '../content/group-by.ts';
import type { NeedKind } from '../needs/need.ts';
import { CERTIFICATE_RULES, type CertificateRule, recordOf } from '../strategies/edit-reason.ts';
import type { ComparedFile } from './compared-file.ts';
import type { PolicyOutcome } from './policy-outcome.ts';

/** What a policy did over many sessions. Shares are of 0-1, against the first policy of the comparison. */
export interface PolicyTotals {
  readonly policy: string;
  readonly sessions: number;
  readonly calls: number;
  /** What all calls had before their eyes, and by what share that is less. */
  readonly tokensSent: number;
  readonly savedRatio: number;
  /** The most that any call had. */
  readonly tokensPeak: number;
  readonly compressions: number;
  /** How many fewer compressions than under the first policy; below 0 where there are more. */
  readonly compressionsAvoided: number;
  readonly evidencedEdits: number;
  readonly regrets: Readonly<Record<NeedKind, number>>;
  /** The same regrets by what took away what was needed. */
  readonly regretsByRule: Readonly<Record<CertificateRule, number>>;
  /** Regrets for each million tokens less that were sent; `null` where none were. */
  readonly regretsPerMillion: number | null;
  /** US dollars, and by what share that is more or less, with a cache of five minutes and of an hour. */
  readonly dollars: number;
  readonly dollarsRatio: number;
  readonly dollarsHourRatio: number;
  readonly rebilledTokens: number;
  readonly unboundThinkingTokens: number;
}

const sum = (outcomes: readonly PolicyOutcome[], of: (outcome: PolicyOutcome) => number): number =>
  outcomes.reduce((total, outcome) => total + of(outcome), 0);

const changeRatio = (value: number, before: number): number => (before === 0 ? 0 : value / before - 1);

/** Adds up sessions, policy by policy, in the order of the policies. */
export function policyTotals(files: readonly ComparedFile[]): readonly PolicyTotals[] {
  const names = files[0]?.outcomes.map(({ policy }) => policy) ?? [];
  const outcomesOf = (name: string): PolicyOutcome[] =>
    files.flatMap(({ outcomes }) => outcomes.filter(({ policy }) => policy === name));
  const first = outcomesOf(names[0] ?? '');
  const sentBefore = sum(first, ({ tokensSent }) => tokensSent);
  return names.map((policy) => {
    const outcomes = outcomesOf(policy);
    const regrets = outcomes.flatMap((outcome) => outcome.regrets);
    const tokensSent = sum(outcomes, (outcome) => outcome.tokensSent);
    const dollars = sum(outcomes, ({ bill }) => bill.dollars);
    const count = (kind: NeedKind): number => regrets.filter((regret) => regret.kind === kind).length;
    const compressions = sum(outcomes, (outcome) => outcome.compressions);
    const savedTokens = sentBefore - tokensSent;
    return {
      policy,
      sessions: outcomes.length,
      calls: sum(outcomes, ({ calls }) => calls),
      tokensSent,
      savedRatio: sentBefore === 0 ? 0 : savedTokens / sentBefore,
      tokensPeak: outcomes.reduce((peak, outcome) => Math.max(peak, outcome.tokensPeak), 0),
      compressions,
      compressionsAvoided: sum(first, (outcome) => outcome.compressions) - compressions,
      evidencedEdits: sum(outcomes, ({ evidencedEdits }) => evidencedEdits),
      regrets: { edit: count('edit'), rerun: count('rerun'), quotation: count('quotation'), name: count('name') },
      regretsByRule: recordOf(CERTIFICATE_RULES, (rule) => regrets.filter((regret) => regret.rule === rule).length),
      regretsPerMillion: savedTokens <= 0 ? null : (regrets.length / savedTokens) * 1e6,
      dollars,
      dollarsRatio: changeRatio(
        dollars,
        sum(first, ({ bill }) => bill.dollars),
      ),
      dollarsHourRatio: changeRatio(
        sum(outcomes, ({ billHour }) => billHour.dollars),
        sum(first, ({ billHour }) => billHour.dollars),
      ),
      rebilledTokens: sum(outcomes, ({ bill }) => bill.rebilledTokens),
      unboundThinkingTokens: sum(outcomes, ({ bill }) => bill.unboundThinkingTokens),
    };
  });
}

/** The totals of each set of sessions, by the format they are written in, the set with the largest bill first. */
export function totalsBySet(
  files: readonly ComparedFile[],
): readonly { readonly set: string; readonly totals: readonly PolicyTotals[] }[] {
  return [...groupBy(files, ({ format }) => format)]
    .map(([set, own]) => ({ set, totals: policyTotals(own) }))
    .sort((one, other) => (other.totals[0]?.dollars ?? 0) - (one.totals[0]?.dollars ?? 0));
}
