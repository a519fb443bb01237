/** The position of a block in the history before the step. */
export interface BlockPlace {
  readonly entry: number;
  readonly block: number;
}

/** Below 0 if the first block is before the other one. */
export const compareBlocks = (one: BlockPlace, other: BlockPlace): number =>
  one.entry - other.entry || one.block - other.block;

/** The position of a tool call in the history before the step. */
export interface CallPlace extends BlockPlace {
  readonly callId: string;
}

/** A call that read or wrote a file, by its absolute path. */
export interface FileCause {
  readonly file: string;
  readonly call: CallPlace;
}

/** Lines of a text, counted from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}
