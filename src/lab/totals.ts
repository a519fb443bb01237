import { groupBy } from '../content/group-by.ts';
import { priceOf } from '../economics/prices.ts';
import type { NeedKind } from '../needs/need.ts';
import { CERTIFICATE_RULES, type CertificateRule, recordOf } from '../strategies/reasons/edit-reason.ts';
import type { ComparedFile } from './compared-file.ts';
import type { ProfileOutcome } from './policy-outcome.ts';

/** The totals of a policy over many sessions. Shares are 0-1, relative to the first policy of the comparison. */
export interface PolicyTotals {
  readonly policy: string;
  readonly sessions: number;
  readonly calls: number;
  /** Tokens sent in all calls, and the share saved. */
  readonly tokensSent: number;
  readonly savedRatio: number;
  /** The largest prompt. */
  readonly tokensPeak: number;
  readonly compressions: number;
  /** Number of compressions saved against the first policy; negative if there are more. */
  readonly compressionsAvoided: number;
  readonly evidencedEdits: number;
  readonly regrets: Readonly<Record<NeedKind, number>>;
  /** The same regrets by the rule that caused them. */
  readonly regretsByRule: Readonly<Record<CertificateRule, number>>;
  /** Regrets per million tokens saved; `null` if none were saved. */
  readonly regretsPerMillion: number | null;
  /** Sessions whose model has a price. Dollars are of those alone. */
  readonly pricedSessions: number;
  /** US dollars, and the relative change, with a prompt cache lifetime of five minutes and of an hour. */
  readonly dollars: number;
  readonly dollarsRatio: number;
  readonly dollarsHourRatio: number;
  readonly rebilledTokens: number;
  readonly unboundThinkingTokens: number;
}

const sum = (outcomes: readonly ProfileOutcome[], of: (outcome: ProfileOutcome) => number): number =>
  outcomes.reduce((total, outcome) => total + of(outcome), 0);

const changeRatio = (value: number, before: number): number => (before === 0 ? 0 : value / before - 1);

/** The totals of each policy over all sessions, in the order of the policies. */
export function policyTotals(files: readonly ComparedFile[]): readonly PolicyTotals[] {
  const names = files[0]?.outcomes.map(({ policy }) => policy) ?? [];
  const outcomesOf = (name: string, of = files): ProfileOutcome[] =>
    of.flatMap(({ outcomes }) => outcomes.filter(({ policy }) => policy === name));
  const pricedFiles = files.filter(({ model }) => priceOf(model).match !== 'unknown');
  const first = outcomesOf(names[0] ?? '');
  const firstPriced = outcomesOf(names[0] ?? '', pricedFiles);
  const sentBefore = sum(first, ({ tokensSent }) => tokensSent);
  return names.map((policy) => {
    const outcomes = outcomesOf(policy);
    const regrets = outcomes.flatMap((outcome) => outcome.regrets);
    const tokensSent = sum(outcomes, (outcome) => outcome.tokensSent);
    const priced = outcomesOf(policy, pricedFiles);
    const dollars = sum(priced, ({ bill }) => bill.dollars);
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
      pricedSessions: priced.length,
      dollars,
      dollarsRatio: changeRatio(
        dollars,
        sum(firstPriced, ({ bill }) => bill.dollars),
      ),
      dollarsHourRatio: changeRatio(
        sum(priced, ({ billHour }) => billHour.dollars),
        sum(firstPriced, ({ billHour }) => billHour.dollars),
      ),
      rebilledTokens: sum(outcomes, ({ bill }) => bill.rebilledTokens),
      unboundThinkingTokens: sum(outcomes, ({ bill }) => bill.unboundThinkingTokens),
    };
  });
}

/** The totals of the sessions of each format, the largest bill first. */
export function totalsBySet(
  files: readonly ComparedFile[],
): readonly { readonly set: string; readonly totals: readonly PolicyTotals[] }[] {
  return [...groupBy(files, ({ format }) => format)]
    .map(([set, own]) => ({ set, totals: policyTotals(own) }))
    .sort((one, other) => (other.totals[0]?.dollars ?? 0) - (one.totals[0]?.dollars ?? 0));
}
