/** One change that breaks one requirement, or what a document promises; the tests named must notice. */
export interface Mutation {
  /** An id of docs/requirements.md, or a section: `docs/live.md#what-it-promises`. */
  readonly requirement: string;
  /** What the change breaks, for a person to read. */
  readonly what: string;
  readonly file: string;
  /** Text that the file contains exactly once, and its replacement. */
  readonly find: string;
  readonly replace: string;
  /** Test files or folders to run. */
  readonly tests: readonly string[];
}
