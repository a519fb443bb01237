import { OWN_TOOLS } from '../../content/tools/own-tools.ts';
import type { SettingRow, SettingValue } from './setting-row.ts';

/** The phases of the specification, each a field of `DensityConfig`. Source: REQ-HD-001.9, REQ-HD-009.1 to 009.4. */
export const PHASE_SETTINGS = [
  {
    key: 'compression.density.readWritePruning',
    flag: '--read-write-pruning <on|off>',
    type: 'boolean',
    default: true,
    help: 'Remove reads of files that are written later.',
  },
  {
    key: 'compression.density.fileDedupe',
    flag: '--file-dedupe <on|off>',
    type: 'boolean',
    default: true,
    help: 'Keep only the latest inclusion of each file.',
  },
  {
    key: 'compression.density.recencyPruning',
    flag: '--recency-pruning <on|off>',
    type: 'boolean',
    default: false,
    help: 'Keep only the newest results of each tool.',
  },
  {
    key: 'compression.density.recencyRetention',
    flag: '--recency-retention <results>',
    type: 'number',
    unit: 'results',
    range: { isInteger: true },
    default: 3,
    help: 'Results of each tool that recency pruning keeps; a value below 1 counts as 1.',
  },
] as const satisfies readonly DensityRow[];

/** The rules beyond the specification, each a field of `DensityRules`. Every default turns its rule off. */
export const RULE_SETTINGS = [
  {
    key: 'compression.density.partialEdits',
    flag: '--partial-edits <rule>',
    type: 'enum',
    // `keep-last` with `quietCalls`: the read is kept only until its file was left alone for that many model calls.
    // `keep-lines` also removes lines from other reads, once they are read again or changed.
    enumValues: ['prune', 'keep-last', 'keep-lines'],
    default: 'prune',
    help: 'What a partial write does to earlier reads of the file: `prune` removes them, `keep-last` keeps the last one that shows a line still in the file, `keep-lines` keeps only such lines.',
  },
  {
    key: 'compression.density.quietCalls',
    flag: '--quiet-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Remove a read of a written file only after this many model calls without a call that uses the file.',
  },
  {
    key: 'compression.density.shellWrites',
    flag: '--shell-writes <on|off>',
    type: 'boolean',
    default: false,
    help: 'Count files that shell commands change (`sed -i`, `mv`, formatters) as written.',
  },
  {
    key: 'compression.density.supersededReads',
    flag: '--superseded-reads <on|off>',
    type: 'boolean',
    default: false,
    help: 'Remove reads whose lines all appear in later reads of the same file.',
  },
  {
    key: 'compression.density.resultCalls',
    flag: '--result-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Replace the result of a shell command or a search by a marker after it was sent this many times; 0: never.',
  },
  {
    key: 'compression.density.carriedTokens',
    flag: '--carried-tokens <tokens>',
    type: 'number',
    unit: 'tokens',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Replace a read by a marker once its tokens, summed over the model calls since its file was last used, exceed this; 0: never.',
  },
  {
    key: 'compression.density.protectedTools',
    flag: '--protected-tools <names>',
    type: 'text',
    isList: true,
    pattern: /[^\s,]/,
    rule: 'names of tools, with commas between them',
    defaultHelp: 'none',
    help: 'Tools whose calls and results are never removed.',
  },
  {
    key: 'compression.density.protectedPaths',
    flag: '--protected-paths <paths>',
    type: 'text',
    isList: true,
    pattern: /[^\s,]/,
    // A path with a slash starts at the workspace root; a bare name matches a file or folder anywhere.
    rule: 'files and folders, with commas between them',
    defaultHelp: 'none',
    help: 'Files and folders whose reads and inclusions are never removed.',
  },
  {
    key: 'compression.density.tools',
    flag: '--tools <tools>',
    type: 'text',
    isList: true,
    pattern: OWN_TOOLS,
    rule: 'tools as role=name:parameter, with commas between them; roles are read, write, search, shell and other',
    example: 'read=my_read:path',
    defaultHelp: 'none',
    help: 'Your own tools: `read=my_read:path,write=my_edit:file+path`, `shell=run:command`, `search=find:query`, `other=name`.',
  },
] as const satisfies readonly DensityRow[];

/** What the gate reads, each an optional accessor of `Ephemerals`: `timing` is `densityTiming()`. */
export const GATE_SETTINGS = [
  {
    key: 'compression.density.timing',
    flag: '--timing <rule>',
    type: 'enum',
    enumValues: ['every-turn', 'when-it-pays'],
    default: 'every-turn',
    help: 'When edits are applied: before every send, or once they save more than they cost.',
  },
  {
    key: 'compression.density.cacheMinutes',
    flag: '--cache-minutes <minutes>',
    type: 'number',
    unit: 'minutes',
    range: { minimum: 1, isInteger: true },
    defaultHelp: "the model's own",
    help: "Lifetime of the provider's prompt cache; `when-it-pays` counts the cache as lost after that.",
  },
] as const satisfies readonly DensityRow[];

type DensityRow = SettingRow<`compression.density.${string}`>;
type PhaseRow = (typeof PHASE_SETTINGS)[number];
type RuleRow = (typeof RULE_SETTINGS)[number];
type GateRow = (typeof GATE_SETTINGS)[number];

/** `compression.density.fileDedupe` → `fileDedupe`. */
type FieldOf<Row extends DensityRow> = Row['key'] extends `compression.density.${infer Field}` ? Field : never;

type Fields<Rows extends DensityRow> = {
  readonly [Row in Rows as FieldOf<Row>]: Row extends { readonly isList: true } ? readonly string[] : SettingValue<Row>;
};

/** Accessors: `fileDedupe` → `densityFileDedupe()`. */
type Accessors<Rows extends DensityRow> = {
  [Row in Rows as `density${Capitalize<FieldOf<Row>>}`]: () => Row extends { readonly default: unknown }
    ? SettingValue<Row>
    : SettingValue<Row> | undefined;
};

export type DensityPhases = Fields<PhaseRow>;

/** How `optimize` prunes beyond the specification: one field for each row of `RULE_SETTINGS`. */
export type DensityRules = Fields<RuleRow>;

export type PhaseAccessors = Accessors<PhaseRow>;
export type GateAccessors = Accessors<GateRow>;

/** The field that a density setting is read by. */
export const densityField = (key: DensityRow['key']): string => key.slice('compression.density.'.length);

/** The rules with these values, one for each row. */
export const densityRules = (read: (row: RuleRow) => unknown): DensityRules =>
  Object.fromEntries(RULE_SETTINGS.map((row) => [densityField(row.key), read(row)])) as unknown as DensityRules;

/** Every rule at its default: nothing beyond the specification. */
export const SPECIFIED_RULES = densityRules((row) => ('isList' in row ? [] : row.default));
