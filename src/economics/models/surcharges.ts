import { canonicalModel } from '../model-name.ts';
import type { Surcharge } from '../prices.ts';

/** What the rates of some models are multiplied by for calls that are served in this way. */
interface SurchargeRow {
  readonly part: 'service' | 'region';
  /** The names of the way in answers. */
  readonly names: readonly string[];
  /** Matches canonical names of models. */
  readonly models: RegExp;
  readonly factor: number;
  /** The first day on which it holds; absent: always. */
  readonly from?: string;
  readonly source: string;
  readonly readOn: string;
}

const CLAUDE_FAST = 'https://platform.claude.com/docs/en/build-with-claude/fast-mode';
const CLAUDE_PRICING = 'https://platform.claude.com/docs/en/about-claude/pricing';
const OPENAI_PRICING = 'https://developers.openai.com/api/docs/pricing';
const OPENAI_SOL = 'https://developers.openai.com/api/docs/models/gpt-6.2-sol';
const READ_ON = '2026-11-29';

/** OpenAI calls `fast` in answers what it calls `priority` in requests, and the other way round before 2026-07-30. */
const FAST = ['fast', 'priority'];

/** The last row that matches and holds on a day counts. */
const SURCHARGES: readonly SurchargeRow[] = [
  {
    part: 'service',
    names: ['fast'],
    models: /^claude-opus-4-[67]$/,
    factor: 6,
    source: CLAUDE_FAST,
    readOn: READ_ON,
  },
  {
    part: 'service',
    names: ['fast'],
    models: /^claude-(?:opus-(?:4-8|5|5-5)|(?:fable|mythos)-5-2)$/,
    factor: 2,
    source: CLAUDE_FAST,
    readOn: READ_ON,
  },
  {
    part: 'service',
    names: ['batch'],
    models: /^claude-/,
    factor: 0.5,
    source: CLAUDE_PRICING,
    readOn: READ_ON,
  },
  {
    part: 'service',
    names: FAST,
    models: /^gpt-(?:5-3-codex|5-4|5-6-|6-(?:astra|sol|luna|1-|2-))/,
    factor: 2,
    source: OPENAI_PRICING,
    readOn: READ_ON,
  },
  { part: 'service', names: FAST, models: /^gpt-5-5$/, factor: 2.5, source: OPENAI_PRICING, readOn: READ_ON },
  { part: 'service', names: ['batch'], models: /^gpt-6-2-sol$/, factor: 0.5, source: OPENAI_SOL, readOn: READ_ON },
  { part: 'service', names: ['ultrafast'], models: /^gpt-6-2-sol$/, factor: 3, source: OPENAI_SOL, readOn: READ_ON },
  {
    part: 'service',
    names: ['ultrafast'],
    models: /^gpt-6-2-sol$/,
    factor: 6,
    from: '2027-03-01',
    source: OPENAI_SOL,
    readOn: READ_ON,
  },
  {
    part: 'region',
    names: ['us'],
    models: /^claude-(?:(?:opus|sonnet)-4-[6-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/,
    factor: 1.1,
    source: CLAUDE_PRICING,
    readOn: READ_ON,
  },
];

/** What a part multiplies the rates of a model by; undefined where no price is known of it. */
export function factorOf(part: 'service' | 'region', name: string, model: string, atMs: number): number | undefined {
  const canonical = canonicalModel(model);
  return SURCHARGES.findLast(
    (row) =>
      row.part === part &&
      row.names.includes(name) &&
      row.models.test(canonical) &&
      (row.from === undefined || Date.parse(row.from) <= atMs),
  )?.factor;
}

/**
 * DeepSeek charges twice as much from 01:00 to 04:00 and from 06:00 to 10:00 UTC, from Monday to Friday without public holidays of China.
 * Source: https://api-docs.deepseek.com/quick_start/pricing, read on 2026-11-29.
 */
const PEAK = {
  models: /^deepseek-(?:flash|v4)/,
  fromMs: Date.parse('2026-08-16T16:00:00Z'),
  hours: [
    [1, 4],
    [6, 10],
  ],
  factor: 2,
} as const;

/** Days off from Monday to Friday since the peak hours exist, in China. Those of 2027 are not known here, and count as work days. */
const HOLIDAYS = ['2026-09-25', '2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'];

/** The surcharge for peak hours; undefined at other times. */
export function peakSurcharge(model: string, atMs: number): Surcharge | undefined {
  if (!PEAK.models.test(canonicalModel(model)) || atMs < PEAK.fromMs) return undefined;
  const at = new Date(atMs);
  const day = at.getUTCDay();
  const hour = at.getUTCHours();
  const isDayOff = day === 0 || day === 6 || HOLIDAYS.includes(at.toISOString().slice(0, 10));
  const isPeak = !isDayOff && PEAK.hours.some(([from, to]) => hour >= from && hour < to);
  return isPeak ? { part: 'peakHours', factor: PEAK.factor } : undefined;
}
