/** How a later event uses earlier text. */
export type NeedKind = 'edit' | 'rerun' | 'quotation' | 'name';

/** Earlier text that an event uses and that the recorded model saw. */
export interface Need {
  readonly kind: NeedKind;
  /** The model call, from 1; for a prompt of the user, the call that answers it. */
  readonly turn: number;
  /** Index among the events of the session. */
  readonly event: number;
  /** Index of the block in its entry. */
  readonly block: number;
  readonly tool?: string;
  /** The parts of the text. A part is met if one of its ids of `BlockHashes` is visible. */
  readonly anyOf: readonly (readonly number[])[];
  /** The text of each part of `anyOf`; absent for results. */
  readonly texts?: readonly string[];
  /** The need is not met if at least this many parts are not. */
  readonly leastMissing: number;
}

/** A line, a part of a line or a name, and the ids of visible text that contains it. */
export interface NeededText {
  readonly text: string;
  readonly ids: readonly number[];
}
