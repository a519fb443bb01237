import type { IContent } from '../../content/content.ts';
import { footprint } from '../../content/footprint.ts';
import type { TokensOf } from '../../strategies/removals.ts';
import { TimeSlice } from '../../time-slice.ts';
import { textOfEntries } from '../block-text.ts';
import { type PieceWords, type PlayedStep, type RemovedPiece, removedPieces } from './removed-pieces.ts';

/** One removed or shortened piece, and its text. */
export interface LedgerRow extends Pick<RemovedPiece, 'rule' | 'saidIn' | 'what' | 'why'> {
  /** Saved: tokens of the removed text minus tokens of its replacement. */
  readonly tokens: number;
  /** The whole removed text. */
  readonly text: string;
  /** The replacement; empty if there is none. */
  readonly left: string;
}

/** What one step of the gate removed before a model call. */
export interface LedgerStep {
  /** The model call, from 1. */
  readonly turn: number;
  readonly kind: PlayedStep['kind'];
  /** The largest pieces of the whole ledger, in the order of the history. */
  readonly rows: readonly LedgerRow[];
  /** Number of pieces too small for a row. */
  readonly unshown: number;
}

/** All removals of a replay, step by step. */
export interface LedgerRecord {
  readonly steps: readonly LedgerStep[];
  readonly pieces: number;
  readonly unshown: number;
}

interface NotedStep {
  readonly step: Pick<PlayedStep, 'turn' | 'kind'>;
  readonly pieces: readonly RemovedPiece[];
}

const sizeOf = (entries: readonly IContent[]): number =>
  entries.reduce((sum, { blocks }) => sum + footprint(blocks).bytes, 0);

/** Collects what a replay removes, when and why. Texts are not copied; only the largest `rowsAtMost` pieces become rows. */
export class RemovalLedger {
  readonly #words: PieceWords;
  readonly #rowsAtMost: number;
  readonly #noted: NotedStep[] = [];
  readonly #tokens = new Map<RemovedPiece, number>();

  constructor(words: PieceWords, { rowsAtMost }: { readonly rowsAtMost: number }) {
    this.#words = words;
    this.#rowsAtMost = rowsAtMost;
  }

  /** Linear in what the step changed. */
  note(step: PlayedStep): void {
    const pieces = removedPieces(step, this.#words);
    if (pieces.length > 0) this.#noted.push({ step: { turn: step.turn, kind: step.kind }, pieces });
  }

  /** Counts the pieces that become rows. Called once, after the last step. Yields to the event loop. */
  async count(tokensOf: TokensOf): Promise<void> {
    const sizes: { readonly piece: RemovedPiece; readonly bytes: number }[] = [];
    const slice = new TimeSlice();
    for (const { pieces } of this.#noted) {
      for (const piece of pieces) sizes.push({ piece, bytes: sizeOf(piece.before) - sizeOf(piece.after) });
      if (slice.isOver()) await slice.next();
    }
    sizes.sort((one, other) => other.bytes - one.bytes);
    for (const { piece } of sizes.slice(0, this.#rowsAtMost)) {
      this.#tokens.set(piece, (await tokensOf(piece.before)) - (await tokensOf(piece.after)));
    }
  }

  /** The removals, after `count`. */
  record(): LedgerRecord {
    const steps = this.#noted.map(({ step, pieces }) => {
      const rows = pieces.flatMap((piece) => this.#rowOf(piece));
      return { ...step, rows, unshown: pieces.length - rows.length };
    });
    const pieces = this.#noted.reduce((sum, noted) => sum + noted.pieces.length, 0);
    return { steps, pieces, unshown: pieces - this.#tokens.size };
  }

  #rowOf(piece: RemovedPiece): LedgerRow[] {
    const tokens = this.#tokens.get(piece);
    if (tokens === undefined) return [];
    const { rule, saidIn, what, why, before, after } = piece;
    return [{ rule, saidIn, what, why, tokens, text: textOfEntries(before), left: textOfEntries(after) }];
  }
}
