import { ENGINES, type EngineName } from '../history/engine.ts';
import {
  COMPRESSION_STRATEGIES,
  type CompressionStrategyName,
  DENSITY_TIMINGS,
  type DensityTiming,
  PARTIAL_EDITS,
  type PartialEdits,
} from '../strategies/contract.ts';
import { isNameList, isProfileName } from './names.ts';
import type { RowOf } from './setting-row.ts';

/** What a user may choose, by key; a key that is absent has its default (REQ-HD-009.6). */
export interface EphemeralSettings {
  readonly 'compression.strategy'?: CompressionStrategyName;
  readonly 'compression.profile'?: string;
  readonly 'compression.engine'?: EngineName;
  readonly 'compression-threshold'?: number;
  readonly 'compression-preserve-threshold'?: number;
  readonly 'context-limit'?: number;
  readonly 'compression.density.readWritePruning'?: boolean;
  readonly 'compression.density.fileDedupe'?: boolean;
  readonly 'compression.density.recencyPruning'?: boolean;
  readonly 'compression.density.recencyRetention'?: number;
  readonly 'compression.density.partialEdits'?: PartialEdits;
  readonly 'compression.density.quietCalls'?: number;
  readonly 'compression.density.timing'?: DensityTiming;
  readonly 'compression.density.cacheMinutes'?: number;
  readonly 'compression.density.shellWrites'?: boolean;
  readonly 'compression.density.supersededReads'?: boolean;
  readonly 'compression.density.resultCalls'?: number;
  readonly 'compression.density.carriedTokens'?: number;
  readonly 'compression.density.protectedTools'?: string;
  readonly 'compression.density.protectedPaths'?: string;
  readonly 'compression.density.archive'?: boolean;
}

export type SettingKey = keyof EphemeralSettings;

/** A row of the registry. */
export type SettingRow = RowOf<SettingKey>;

/** Every setting, one row each. Source: REQ-HD-009.1 to 009.4, 004.4; docs/readings.md, rows 1, 15 and 31;
 * docs/history-service.md, the names. */
export const SETTINGS_REGISTRY: readonly SettingRow[] = [
  {
    key: 'compression.strategy',
    type: 'enum',
    enumValues: [...COMPRESSION_STRATEGIES],
    default: 'high-density',
    help: 'How the history is made smaller.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.profile',
    type: 'text',
    isValid: isProfileName,
    rule: 'the name of a profile (up to 64 letters, digits, `-` and `_`)',
    defaultHelp: 'none',
    help: 'Profile whose settings hold where the session has none of its own.',
    category: 'cli-behavior',
    // A profile does not name the profile to use.
    persistToProfile: false,
  },
  {
    key: 'compression.engine',
    type: 'enum',
    enumValues: [...ENGINES],
    default: 'offloaded',
    help: 'Where counting, pruning and compressing is done: on threads, or in the calling one.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression-threshold',
    type: 'number',
    unit: 'ratio',
    range: { minimum: 0, isAboveMinimum: true, maximum: 1 },
    defaultHelp: "the strategy's own",
    help: 'Share of the context limit at which the history is compressed.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression-preserve-threshold',
    type: 'number',
    unit: 'ratio',
    range: { minimum: 0, maximum: 1 },
    default: 0.2,
    help: 'Share of the newest entries that a compression leaves as they are.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'context-limit',
    type: 'number',
    unit: 'tokens',
    range: { minimum: 1, isInteger: true },
    defaultHelp: "the model's own",
    help: 'Tokens that the context window holds.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.readWritePruning',
    type: 'boolean',
    default: true,
    help: 'Drop reads of files that were written later.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.fileDedupe',
    type: 'boolean',
    default: true,
    help: 'Keep only the latest inclusion of each file.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.recencyPruning',
    type: 'boolean',
    default: false,
    help: 'Keep only the newest results of each tool.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.recencyRetention',
    type: 'number',
    unit: 'results',
    range: { isInteger: true },
    default: 3,
    help: 'Results of each tool that recency pruning keeps; below 1 acts as 1.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.partialEdits',
    type: 'enum',
    enumValues: [...PARTIAL_EDITS],
    default: 'prune',
    help: 'Whether a read stays while it is the last to show lines that still stand after a partial edit, whole or only these lines.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.quietCalls',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Model calls for which a file must be left alone before a read of it goes.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.timing',
    type: 'enum',
    enumValues: [...DENSITY_TIMINGS],
    default: 'every-turn',
    help: 'When prunings are applied: before every send, or once they cost less than they save.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.cacheMinutes',
    type: 'number',
    unit: 'minutes',
    range: { minimum: 1, isInteger: true },
    default: 5,
    help: 'How long the provider keeps a prefix that was sent; `when-it-pays` takes it for cold after that.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.shellWrites',
    type: 'boolean',
    default: false,
    help: 'Count files that shell commands change (`sed -i`, `mv`, formatters) as written.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.supersededReads',
    type: 'boolean',
    default: false,
    help: 'Drop reads whose lines all stand in later reads of the same file.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.resultCalls',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Model calls that a result of a shell command or a search stays for; 0: it stays.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.carriedTokens',
    type: 'number',
    unit: 'tokens',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Tokens that a read may cost over the model calls since its file was touched, before it goes; 0: it stays.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.protectedTools',
    type: 'text',
    isValid: isNameList,
    rule: 'names of tools, with commas between them',
    defaultHelp: 'none',
    help: 'Tools whose calls and results pruning leaves alone.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.protectedPaths',
    type: 'text',
    isValid: isNameList,
    rule: 'files and folders, with commas between them',
    defaultHelp: 'none',
    help: 'Files and folders whose reads and inclusions pruning leaves alone.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
  {
    key: 'compression.density.archive',
    type: 'boolean',
    default: false,
    help: 'Keep what is taken away in an archive on this computer, for `density show` and `/show`.',
    category: 'cli-behavior',
    persistToProfile: true,
  },
];
