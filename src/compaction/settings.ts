import { CompressionStrategyError } from '../errors.ts';
import { nearestName } from '../settings/nearest-name.ts';
import type { CompactOptions } from './contract.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface NumberRow {
  /** The environment variable. */
  readonly variable?: string;
  readonly default: number;
  /** The check of `accepts` in words. */
  readonly rule: string;
  readonly accepts: (value: number) => boolean;
}

interface TextRow {
  readonly variable?: string;
  readonly default: () => string;
}

type Rows<Row> = Readonly<Partial<Record<keyof CompactOptions, Row>>>;

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;
const isPositive = (value: number): boolean => value > 0 && Number.isFinite(value);
const COUNT = { rule: 'a whole number of at least 0', accepts: isCount } as const;
/** A limit, which can be `Infinity`. */
const LIMIT = { rule: 'a number of at least 0', accepts: (value: number) => value >= 0 } as const;
/** The longest wait of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const DURATION = {
  rule: `a number of milliseconds above 0 and at most ${LONGEST_TIMER_MS}`,
  accepts: (value: number) => value > 0 && value <= LONGEST_TIMER_MS,
} as const;

/** Source: docs/requirements.md, F-002, F-008 and section 3.2; the ratio and the window F-002; the deadline PRD 4.1. */
const NUMBERS = {
  contextTokenLimit: {
    variable: 'CONTEXT_TOKEN_LIMIT',
    default: 200_000,
    rule: 'a number of tokens above 0',
    accepts: isPositive,
  },
  compactThresholdRatio: {
    variable: 'COMPACT_THRESHOLD_RATIO',
    default: 0.92,
    rule: 'a number above 0 and at most 1',
    accepts: (value) => value > 0 && value <= 1,
  },
  summaryMaxWords: {
    variable: 'SUMMARY_MAX_WORDS',
    default: 1_200,
    rule: 'a number of words above 0',
    accepts: isPositive,
  },
  maxRetries: { variable: 'COMPACT_MAX_RETRIES', default: 2, ...COUNT },
  maxRestoreFiles: { variable: 'MAX_RESTORE_FILES', default: 5, ...LIMIT },
  maxRestoreTokensPerFile: { variable: 'MAX_RESTORE_TOKENS_PER_FILE', default: 5_000, ...LIMIT },
  maxRestoreTokensTotal: { variable: 'MAX_RESTORE_TOKENS_TOTAL', default: 50_000, ...LIMIT },
  deadlineMs: { default: 30_000, ...DURATION },
  callDeadlineMs: { default: 30_000, ...DURATION },
} as const satisfies Rows<NumberRow>;

const TEXTS = {
  summaryModel: { variable: 'SUMMARY_MODEL', default: () => DEFAULT_SUMMARY_MODEL },
  outputDir: { variable: 'COMPACT_OUTPUT_DIR', default: () => '.compact' },
  sessionId: { default: () => 'default' },
  workDir: { default: () => process.cwd() },
} as const satisfies Rows<TextRow>;

type NumberKey = keyof typeof NUMBERS;
type TextKey = keyof typeof TEXTS;

/** The settings of one compaction: from the option, or else the environment, or else the default. */
export type CompactSettings = Readonly<Record<NumberKey, number> & Record<TextKey, string>>;

/** Source: docs/requirements.md, F-004. */
export const DEFAULT_SUMMARY_MODEL = 'claude-haiku-4-5-20251001';

function invalid(place: string, rule: string, value: unknown): CompressionStrategyError {
  const got = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new CompressionStrategyError(`Expected ${place} to be ${rule}, got \`${got}\`.`, 'SETTING_INVALID');
}

function numberOf(key: NumberKey, given: unknown, environment: Environment): number {
  const row: NumberRow = NUMBERS[key];
  if (given !== undefined) {
    if (typeof given === 'number' && row.accepts(given)) return given;
    throw invalid(`the option \`${key}\``, row.rule, given);
  }
  const text = row.variable === undefined ? undefined : environment[row.variable]?.trim();
  if (text === undefined || text === '') return row.default;
  const value = Number(text);
  if (row.accepts(value)) return value;
  throw invalid(`${row.variable} in the environment`, row.rule, text);
}

function textOf(key: TextKey, given: unknown, environment: Environment): string {
  const { variable, default: standard }: TextRow = TEXTS[key];
  if (given !== undefined) {
    if (typeof given === 'string' && given !== '' && !given.includes('\0')) return given;
    throw invalid(`the option \`${key}\``, 'a text that is not empty', given);
  }
  return (variable === undefined ? undefined : environment[variable]) || standard();
}

/** The other options: replacements for the network, the disk and the log. */
const PARTS: Readonly<Record<Exclude<keyof CompactOptions, NumberKey | TextKey>, true>> = {
  llmClient: true,
  fileWriter: true,
  fileReader: true,
  logger: true,
  signal: true,
  readTools: true,
};
const NAMES: readonly string[] = [NUMBERS, TEXTS, PARTS].flatMap((options) => Object.keys(options));

/** Rejects unknown names: a misspelt option would otherwise have its default without notice. */
function assertKnown(options: CompactOptions): void {
  if ('tailRetentionRatio' in options) {
    throw new CompressionStrategyError(
      'Expected options of this version, got `tailRetentionRatio`: no recent messages are kept any more; everything after the system prompt is summarised, and recently read files are restored. Remove it; `maxRestoreFiles` limits the restored files.',
      'SETTING_UNKNOWN',
    );
  }
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown === undefined) return;
  throw new CompressionStrategyError(
    `Expected an option of compacting, got \`${unknown}\`. Did you mean \`${nearestName(unknown, NAMES)}\`?`,
    'SETTING_UNKNOWN',
  );
}

function mapped<Key extends string, Row, Value>(rows: Readonly<Record<Key, Row>>, of: (key: Key) => Value) {
  return Object.fromEntries((Object.keys(rows) as Key[]).map((key) => [key, of(key)])) as Record<Key, Value>;
}

/**
 * The settings of one compaction.
 * @throws CompressionStrategyError `SETTING_INVALID` with the option or variable, its rule and the value;
 * `SETTING_UNKNOWN` for an unknown name, such as `tailRetentionRatio` of the first version.
 */
export function compactSettings(options: CompactOptions, environment: Environment = process.env): CompactSettings {
  assertKnown(options);
  return {
    ...mapped(NUMBERS, (key) => numberOf(key, options[key], environment)),
    ...mapped(TEXTS, (key) => textOf(key, options[key], environment)),
  };
}
