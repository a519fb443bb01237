export interface CommandHelp {
  /** The options that most users need, the most used first. */
  readonly first: readonly string[];
  /** Lines to type, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
}
