import type { IContent } from '../../content/content.ts';
import { footprint } from '../../content/footprint.ts';
import { TimeSlice } from '../../history/time-slice.ts';
import type { TokensOf } from '../../strategies/removals.ts';
import { textOfEntries } from '../block-text.ts';
import { type PieceWords, type PlayedStep, type RemovedPiece, removedPieces } from './removed-pieces.ts';

/** One thing that was taken away or shortened, and what it said. */
export interface LedgerRow extends Pick<RemovedPiece, 'rule' | 'saidIn' | 'what' | 'why'> {
  /** Saved: those of what went, less those of what came in its place. */
  readonly tokens: number;
  /** All of it. */
  readonly text: string;
  /** What stands in its place; empty where nothing does. */
  readonly left: string;
}

/** What one step of the gate took away before a model call. */
export interface LedgerStep {
  /** The model call, from 1. */
  readonly turn: number;
  readonly kind: PlayedStep['kind'];
  /** In the order of the history; the largest of the whole ledger. */
  readonly rows: readonly LedgerRow[];
  /** Pieces that are too small to be among the rows. */
  readonly unshown: number;
}

/** What was taken away, step by step. */
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

/** Keeps what a replay takes away, when and why. Texts stay where they are; only the largest `rowsAtMost` pieces become rows. */
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

  /** Counts what will be rows: once, after the last step. The thread is let go in between. */
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

  /** What was noted and counted. */
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
