interface CommonRow<Key extends string> {
  readonly key: Key;
  readonly help: string;
  readonly category: 'cli-behavior';
  /** Whether saving a profile saves it. */
  readonly persistToProfile: boolean;
  /** What holds when nothing sets it and there is no default. */
  readonly defaultHelp?: string;
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
  readonly isValid: (text: string) => boolean;
  /** `isValid` in words. */
  readonly rule: string;
  readonly default?: never;
  readonly defaultHelp: string;
}

/** A number, within a range where there is one. */
export interface NumberRow<Key extends string = string> extends CommonRow<Key> {
  readonly type: 'number';
  readonly unit: 'ratio' | 'tokens' | 'results' | 'calls' | 'minutes';
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

/** What is known of a setting: what it may be, what it is where nobody says, and what a person is told. */
export type RowOf<Key extends string> = BooleanRow<Key> | EnumRow<Key> | TextRow<Key> | NumberRow<Key>;
