import type { PolicyTotals } from '../../src/lab/totals.ts';
import type { ComparisonReport } from '../../src/report/comparison-report.ts';
import { CERTIFICATE_RULES, type CertificateRule } from '../../src/strategies/reasons/edit-reason.ts';

const EDITS = 400;
const TOKENS = 90_000_000;

/** A policy that saves and regrets more the higher its number is. */
function totalsOf(policy: number, policies: number): PolicyTotals {
  const savedRatio = policy === 0 ? 0 : 0.26 * Math.sqrt(policy / policies);
  const edits = policy === 0 ? 0 : Math.round(60 * (policy / policies) ** 2);
  const regretted: Partial<Record<CertificateRule, number>> = { staleRead: edits, recency: policy };
  const byRule = CERTIFICATE_RULES.map((rule) => [rule, regretted[rule] ?? 0]);
  return {
    policy: policy === 0 ? 'no-pruning' : `a-policy-of-mine-${policy}`,
    sessions: 12,
    calls: 1_200,
    tokensSent: TOKENS * (1 - savedRatio),
    savedRatio,
    tokensPeak: 168_000 - 1_000 * policy,
    compressions: 3,
    compressionsAvoided: policy % 4,
    evidencedEdits: EDITS,
    regrets: { edit: edits, rerun: policy % 3, quotation: policy, name: 1 },
    regretsByRule: Object.fromEntries(byRule) as Record<CertificateRule, number>,
    regretsPerMillion: policy === 0 ? null : 2.7,
    pricedSessions: 12,
    dollars: 80 - policy,
    dollarsRatio: policy === 0 ? 0 : (policy % 2 === 0 ? 0.012 : -0.01) * policy,
    dollarsHourRatio: -0.004 * policy,
    rebilledTokens: 1_000 * policy,
    unboundThinkingTokens: 4_321 * policy,
  };
}

/** The report of this many policies. */
export function comparisonOf(policies: number): ComparisonReport {
  const totals = Array.from({ length: policies }, (_, policy) => totalsOf(policy, policies));
  const calm = totals.map((one) => ({ ...one, dollarsRatio: one.dollarsRatio / 1_000 }));
  return {
    title: 'recordings-of-a-year-that-were-kept-0ccf1a04',
    sessions: 24,
    sizeBytes: 23_200_000,
    totals,
    sets: [
      { set: 'claude-code', totals },
      { set: 'codex', totals: totals.map((one) => ({ ...one, dollarsRatio: -one.dollarsRatio })) },
      { set: 'gemini-cli', totals: calm },
    ],
    priceNotes: ['Bills are simulated at list prices of 2026-11-22.'],
    usageNote: 'The cost model against 1,757 calls with recorded usage: input -5.9%.',
    copiedCalls: 0,
    skipped: 2,
    version: '1.2.3',
    madeOn: '2026-01-02',
  };
}
