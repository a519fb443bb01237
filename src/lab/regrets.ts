import type { IContent } from '../content/content.ts';
import type { Need, NeedKind } from '../needs/need.ts';
import type { SessionIndex } from '../needs/session-index.ts';
import type { TextSearch } from '../needs/text-search.ts';
import { VisibleHashes } from '../needs/visible-hashes.ts';
import { type ChangedEntry, reasonFor } from '../strategies/changed-entries.ts';
import { type CertificateRule, EDIT_RULES } from '../strategies/edit-reason.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';
import type { ContextMove } from './policy-run.ts';

/** `exact`: the event cannot have been written without what is gone. `likely`: it may have come from elsewhere. */
export type Certainty = 'exact' | 'likely';

/** Something that a policy took away and that was needed later, with no visible copy left. */
export interface Regret {
  readonly kind: NeedKind;
  readonly certainty: Certainty;
  /** The rule that took it away, and at which model call, from 1. */
  readonly rule: CertificateRule;
  readonly removedAtTurn: number;
  /** Model call that needs it, from 1; the event of the session and the block in its entry. */
  readonly turn: number;
  readonly event: number;
  readonly block: number;
  /** Tool that needs it; absent for a quotation in text. */
  readonly tool?: string;
  /** Tool whose call or result was taken away. */
  readonly removedTool?: string;
  /** Tokens of the block that was taken away. */
  readonly tokens: number;
  /** Share of the needed lines or names that are nowhere visible (0-1). */
  readonly missingRatio: number;
}

interface RemovedBlock {
  readonly rule: CertificateRule;
  readonly turn: number;
  readonly tool?: string;
  readonly tokens: number;
}

/** A quotation of so many lines that are gone is no chance. */
const EXACT_QUOTED_LINES = 2;

interface LedgerOptions {
  /** Where lines and names stand in the session, and texts that may be parts of lines. */
  readonly places: SessionIndex;
  readonly texts: TextSearch;
  readonly countBlock: CountBlock;
}

/** Keeps what is visible under a policy and what it took away, and says which needs are not met. */
export class RegretLedger {
  readonly #options: LedgerOptions;
  readonly #removed: RemovedBlock[] = [];
  /** By mark: how many blocks were removed when it went last; 0 for one that never did. */
  readonly #removals: Int32Array;
  readonly #regrets: Regret[] = [];
  /** By their order in the session: the entries that are visible. */
  readonly #visible: Uint8Array;
  /** Visible entries that the session never had, and what they show. */
  readonly #made = new Set<IContent>();
  readonly #madeHashes: VisibleHashes;

  constructor(options: LedgerOptions) {
    this.#options = options;
    const { entries, hashes } = options.places;
    this.#removals = new Int32Array(hashes.size);
    this.#visible = new Uint8Array(entries.length);
    this.#madeHashes = new VisibleHashes(hashes);
  }

  get regrets(): readonly Regret[] {
    return this.#regrets;
  }

  add(entry: IContent): void {
    const order = this.#options.places.orderOf(entry);
    if (order !== undefined) this.#visible[order] = 1;
    else if (!this.#made.has(entry)) {
      this.#made.add(entry);
      this.#madeHashes.add(entry);
    }
  }

  /** The context changed; where the recorded agent itself changed it no item is anyone's fault. */
  move(move: ContextMove): void {
    if (move.kind === 'optimized') {
      for (const { before, after } of move.changes) {
        this.#remove(before);
        if (after !== undefined) this.add(after);
      }
    } else {
      this.#visible.fill(0);
      for (const entry of this.#made) this.#remove(entry);
      for (const entry of move.after) this.add(entry);
    }
    this.#note(move.changes, move.turn);
  }

  #remove(entry: IContent): void {
    const order = this.#options.places.orderOf(entry);
    if (order !== undefined) this.#visible[order] = 0;
    else if (this.#made.delete(entry)) this.#madeHashes.remove(entry);
  }

  #note(changes: readonly ChangedEntry[], turn: number): void {
    for (const changed of changes.flatMap(({ blocks }) => blocks)) {
      const { block } = changed;
      const { certificate: rule } = EDIT_RULES[reasonFor(changed).rule];
      const tool =
        block.type === 'tool_call' ? block.name : block.type === 'tool_response' ? block.toolName : undefined;
      const tokens = this.#options.countBlock(block);
      const removal = this.#removed.push({ rule, turn, tokens, ...(tool !== undefined && { tool }) });
      const marks = this.#options.places.hashes.of(block);
      for (let at = 0; at < marks.length; at++) this.#removals[marks[at]!] = removal;
    }
  }

  /** Notes which of the needs of one event are not met; one regret for each block, the strongest. */
  check(needs: readonly Need[]): void {
    if (this.#removed.length === 0) return;
    const found = needs.map((need) => this.#regretOf(need)).filter((regret) => regret !== undefined);
    for (const [at, regret] of found.entries()) {
      if (found.findIndex((other) => other.block === regret.block) === at) this.#regrets.push(regret);
    }
  }

  #stands(text: string | undefined): boolean {
    if (text === undefined) return false;
    if (this.#options.texts.isVisible(text, this.#visible)) return true;
    for (const entry of this.#made) if (this.#options.texts.contains(entry, text)) return true;
    return false;
  }

  #shows(mark: number): boolean {
    return this.#madeHashes.has(mark) || this.#options.places.isVisible(mark, this.#visible);
  }

  #regretOf(need: Need): Regret | undefined {
    const isGone = (marks: readonly number[]): boolean => !marks.some((mark) => this.#shows(mark));
    const isRemoved = (marks: readonly number[]): boolean => marks.some((mark) => this.#removals[mark] !== 0);
    // What no policy took away is no regret, wherever else it may stand.
    if (!need.anyOf.some((marks) => isRemoved(marks) && isGone(marks))) return undefined;
    // It may stand inside of another line.
    const missing = need.anyOf.filter((marks, at) => isGone(marks) && !this.#stands(need.texts?.[at]));
    if (missing.length < need.leastMissing) return undefined;
    const removed = missing.flat().find((mark) => this.#removals[mark] !== 0);
    if (removed === undefined) return undefined;
    const cause = this.#removed[this.#removals[removed]! - 1]!;
    const isExact = need.kind === 'edit' || (need.kind === 'quotation' && missing.length >= EXACT_QUOTED_LINES);
    return {
      kind: need.kind,
      certainty: isExact ? 'exact' : 'likely',
      rule: cause.rule,
      removedAtTurn: cause.turn,
      turn: need.turn,
      event: need.event,
      block: need.block,
      ...(need.tool !== undefined && { tool: need.tool }),
      ...(cause.tool !== undefined && { removedTool: cause.tool }),
      tokens: cause.tokens,
      missingRatio: missing.length / need.anyOf.length,
    };
  }
}
