import { MODEL_PRICES } from '../economics/models/given-models.ts';
import { ENGINES } from '../history/engine.ts';
import { COMPRESSION_STRATEGIES } from '../strategies/contract.ts';
import { GATE_SETTINGS } from '../strategies/settings/gate-settings.ts';
import { PHASE_SETTINGS } from '../strategies/settings/phase-settings.ts';
import { RULE_SETTINGS } from '../strategies/settings/rule-settings.ts';
import type { SettingRow as RowOf, SettingValue } from '../strategies/settings/setting-row.ts';

/** A profile's name is also the name of its file. */
export const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Source: REQ-HD-004.4, REQ-HD-009; docs/readings.md, rows 1, 15 and 31; docs/library.md, the names. */
const ROWS = [
  {
    key: 'compression.strategy',
    flag: '--strategy <name>',
    type: 'enum',
    enumValues: COMPRESSION_STRATEGIES,
    default: 'high-density',
    help: 'How the history is made smaller.',
  },
  {
    key: 'compression.profile',
    flag: '--profile <name>',
    type: 'text',
    pattern: PROFILE_NAME,
    rule: 'the name of a profile (up to 64 letters, digits, `-` and `_`)',
    defaultHelp: 'none',
    help: 'Profile whose settings replace those of `recommended`, or `specification`.',
    persistToProfile: false,
  },
  {
    key: 'compression.engine',
    flag: '--engine <name>',
    type: 'enum',
    enumValues: ENGINES,
    default: 'offloaded',
    help: 'Where counting, pruning and compressing run: on worker threads, or on the calling thread.',
  },
  {
    key: 'compression-threshold',
    flag: '--threshold <ratio>',
    type: 'number',
    unit: 'ratio',
    range: { minimum: 0, isAboveMinimum: true, maximum: 1 },
    defaultHelp: "the strategy's own",
    help: 'Share of the context limit at which the history is compressed.',
  },
  {
    key: 'compression-preserve-threshold',
    flag: '--preserve <ratio>',
    type: 'number',
    unit: 'ratio',
    range: { minimum: 0, maximum: 1 },
    default: 0.2,
    help: 'Share of the newest entries that compression keeps unchanged.',
  },
  {
    key: 'context-limit',
    flag: '--context-limit <tokens>',
    type: 'number',
    unit: 'tokens',
    range: { minimum: 1, isInteger: true },
    defaultHelp: "the model's own",
    help: 'Size of the context window in tokens.',
  },
  {
    key: 'model-prices',
    flag: '--model-prices <list>',
    type: 'text',
    pattern: MODEL_PRICES,
    rule: 'models with commas between them, each with its dollars per million tokens of input, cached read, cache write and output, such as `my-model 3/0.3/3.75/15`',
    example: 'my-model 3/0.3/3.75/15',
    defaultHelp: 'none',
    help: 'Prices of models that the price table lacks, or for which you pay another price.',
  },
  {
    key: 'unbound-thinking',
    flag: '--unbound-thinking <models>',
    type: 'text',
    // Bounded text: a setting that a person writes.
    pattern: /^[^,]+(?:,[^,]+)*$/,
    rule: 'names of models with commas between them',
    defaultHelp: 'none',
    help: 'Models whose thinking stays valid when earlier text changes; the thinking of any other model that the price table lacks counts as bound.',
  },
  {
    key: 'live-pruning',
    flag: '--live-pruning <mode>',
    type: 'enum',
    enumValues: ['on', 'shadow', 'off'],
    default: 'on',
    help: 'What `density wrap` does in this folder: prune, only write down what would be done, or change nothing new.',
    persistToProfile: false,
  },
  {
    key: 'keep-warm',
    flag: '--keep-warm <on|off>',
    type: 'boolean',
    default: false,
    help: 'Let `density wrap` send pings in the pauses of this folder, so that the prompt cache is kept where that is expected to pay.',
    persistToProfile: false,
  },
  {
    key: 'keep-warm-dollars',
    flag: '--keep-warm-dollars <dollars>',
    type: 'number',
    unit: 'dollars',
    range: { minimum: 0 },
    default: 1,
    help: 'The most that pings may cost in a day on this computer, at list prices in US dollars.',
    persistToProfile: false,
  },
  {
    key: 'plugin-codex-repeats',
    flag: '--plugin-codex-repeats <on|off>',
    type: 'boolean',
    default: false,
    help: 'Let the plugin replace repeats of over 1,000 tokens in Codex too; Codex shows a replaced result as blocked.',
  },
  {
    key: 'cache-lifetime',
    flag: '--cache-lifetime <lifetime>',
    type: 'enum',
    enumValues: ['agent', 'auto', '1h'],
    default: 'agent',
    help: 'How long the cache marks of Claude keep a prompt, at the host of the vendor only: as the agent says, what is expected to cost less, or an hour. It changes when the whole prompt is written anyway.',
    persistToProfile: false,
  },
  {
    key: 'cache-marks',
    flag: '--cache-marks <on|off>',
    type: 'boolean',
    default: false,
    help: 'Add what a request lacks for the prompt cache, at the host of the vendor only: a mark at the end of its history (Claude), a key (OpenAI), and tools in their first order.',
    persistToProfile: false,
  },
  ...PHASE_SETTINGS,
  ...RULE_SETTINGS,
  ...GATE_SETTINGS,
  {
    key: 'compression.density.archive',
    flag: '--archive <on|off>',
    type: 'boolean',
    default: false,
    help: 'Keep removed text in an archive on this computer, for `density show`.',
  },
  {
    key: 'compression.density.archiveMegabytes',
    flag: '--archive-megabytes <megabytes>',
    type: 'number',
    unit: 'megabytes',
    range: { minimum: 1, isInteger: true },
    default: 256,
    help: 'Largest size of the archive on the disk; above it, the text that was used longest ago is deleted.',
  },
  {
    key: 'compression.density.archiveDays',
    flag: '--archive-days <days>',
    type: 'number',
    unit: 'days',
    range: { minimum: 1, isInteger: true },
    default: 30,
    help: 'Archived text that was kept or used within this many days is never deleted; if such text alone fills the archive, no more text is archived, and text that would need the archive is not left out.',
  },
] as const satisfies readonly RowOf[];

type Row = (typeof ROWS)[number];

export type SettingKey = Row['key'];

/** A row of the registry. */
export type SettingRow = RowOf<SettingKey> & {
  readonly category: 'cli-behavior';
  readonly persistToProfile: boolean;
};

/** Every setting, one row each. */
export const SETTINGS_REGISTRY: readonly SettingRow[] = ROWS.map((row) => ({
  category: 'cli-behavior',
  persistToProfile: true,
  ...row,
}));

/** What a user may choose, by key; an absent key has its default (REQ-HD-009.6). */
export type EphemeralSettings = { readonly [Each in Row as Each['key']]?: SettingValue<Each> };

/** The value of a setting that is resolved: `undefined` only where its row has no default. */
export type ResolvedSetting<Key extends SettingKey> =
  Extract<Row, { readonly key: Key }> extends {
    readonly default: unknown;
  }
    ? Required<EphemeralSettings>[Key]
    : EphemeralSettings[Key];
