interface CommonRow<Key extends string> {
  readonly key: Key;
  /** The command-line option, as `--context-limit <tokens>`. */
  readonly flag: `--${string} <${string}>`;
  /** One sentence. */
  readonly help: string;
  /** What `density settings` shows when nothing sets it and the row has no `default`. */
  readonly defaultHelp?: string;
  /** `false`: a profile may not contain it. */
  readonly persistToProfile?: boolean;
}

interface BooleanRow<Key extends string> extends CommonRow<Key> {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface EnumRow<Key extends string> extends CommonRow<Key> {
  readonly type: 'enum';
  readonly enumValues: readonly string[];
  readonly default: string;
}

interface TextRow<Key extends string> extends CommonRow<Key> {
  readonly type: 'text';
  readonly pattern: RegExp;
  /** `pattern` in words. */
  readonly rule: string;
  /** A valid value, for whoever gave another. */
  readonly example?: string;
  /** `true`: names with commas between them; a rule reads them as a list. */
  readonly isList?: true;
  readonly default?: never;
  readonly defaultHelp: string;
}

/** A row whose value is a number within a range. */
export interface NumberRow<Key extends string = string> extends CommonRow<Key> {
  readonly type: 'number';
  readonly unit: 'ratio' | 'tokens' | 'results' | 'calls' | 'minutes' | 'lines' | 'days' | 'megabytes' | 'dollars';
  readonly range: NumberRange;
  readonly default?: number;
}

interface NumberRange {
  readonly minimum?: number;
  readonly maximum?: number;
  /** `true`: `minimum` itself is not allowed. */
  readonly isAboveMinimum?: true;
  readonly isInteger?: true;
}

/** Everything about one setting: its key, type, option, default and help. Types, parsing and resolution derive from it. */
export type SettingRow<Key extends string = string> = BooleanRow<Key> | EnumRow<Key> | TextRow<Key> | NumberRow<Key>;

/** The type of a setting's value, from its row. */
export type SettingValue<Row> = Row extends { readonly type: 'boolean' }
  ? boolean
  : Row extends { readonly type: 'number' }
    ? number
    : Row extends { readonly enumValues: readonly (infer Value)[] }
      ? Value
      : string;
