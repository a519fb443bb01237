import { counted } from './figures.ts';

/** How much lower the bills of one agent's recorded sessions are with `recommended`. */
interface MeasuredBills {
  readonly agent: string;
  /** In both sets: published sessions, and those of models of 2026. */
  readonly sessions: number;
  /** Percent, by set and by model: Opus 5 with a cache of five minutes and of an hour, Opus 5.5, GPT-5.6. */
  readonly least: number;
  readonly most: number;
}

/** Source: bench/results.json, rows `economics.…change` of each agent; test/figures.test.ts compares. */
export const MEASURED_BILLS: readonly MeasuredBills[] = [
  { agent: 'Claude Code', sessions: 80, least: 3, most: 25 },
  { agent: 'Codex', sessions: 59, least: 13, most: 35 },
  { agent: 'opencode', sessions: 33, least: 3, most: 6 },
];

/** All published sessions, each with its own model. Source: bench/results.json, rows `fidelity.recommended.saved` and `.cost`. */
export const MEASURED_SAVING = { sessions: 178, tokens: 24, bill: 15 };

/** What to expect of an agent. */
export const measuredBillsLine = (): string => {
  const each = MEASURED_BILLS.map(({ agent, least, most }) => `${least}% to ${most}% with ${agent}`);
  return `Simulated bills of recorded sessions were lower by ${each.join(', ')}.`;
};

/** Said beside what the bundled example saves. */
export const exampleGainsLine = (): string => {
  const { sessions, tokens, bill } = MEASURED_SAVING;
  return `The example gains more than real work: ${counted(sessions, 'recorded session')} sent ${tokens}% fewer tokens, at a bill ${bill}% lower.`;
};
