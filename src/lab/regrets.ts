import type { IContent } from '../content/content.ts';
import { VisibleHashes } from '../needs/block-hashes.ts';
import type { Need, NeedKind } from '../needs/need.ts';
import type { SessionIndex } from '../needs/session-index.ts';
import type { TextSearch } from '../needs/text-search.ts';
import type { ContextMove } from '../replay/context-move.ts';
import { type ChangedEntry, reasonFor } from '../strategies/changed-entries.ts';
import { type CertificateRule, EDIT_RULES } from '../strategies/reasons/edit-reason.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';

/** `exact`: the event cannot have been written without the removed text. `likely`: it may have another source. */
export type Certainty = 'exact' | 'likely';

/** A removed text that was needed later, with no visible copy left. */
export interface Regret {
  readonly kind: NeedKind;
  readonly certainty: Certainty;
  /** The rule that removed it, and the model call before which it did so, from 1. */
  readonly rule: CertificateRule;
  readonly removedAtTurn: number;
  /** The model call that needs it, from 1, the event of the session, and the block in its entry. */
  readonly turn: number;
  readonly event: number;
  readonly block: number;
  /** Tool that needs it; absent for a quotation in text. */
  readonly tool?: string;
  /** Tool of the removed call or result. */
  readonly removedTool?: string;
  /** Tokens of the removed block. */
  readonly tokens: number;
  /** Share of the needed lines or names with no visible copy (0-1). */
  readonly missingRatio: number;
}

interface RemovedBlock {
  readonly rule: CertificateRule;
  readonly turn: number;
  readonly tool?: string;
  readonly tokens: number;
}

/** A quotation of at least this many removed lines is no coincidence. */
const EXACT_QUOTED_LINES = 2;

interface LedgerOptions {
  /** The places of lines and names in the session; `texts` finds parts of lines. */
  readonly places: SessionIndex;
  readonly texts: TextSearch;
  readonly countBlock: CountBlock;
}

/** The visible and the removed texts under a policy, and the needs that are not met. */
export class RegretLedger {
  readonly #options: LedgerOptions;
  readonly #removed: RemovedBlock[] = [];
  /** By hash id: number of removed blocks when it was last removed; 0 if it never was. */
  readonly #removals: Int32Array;
  readonly regrets: Regret[] = [];
  /** By position in the session: 1 for a visible entry. */
  readonly #visible: Uint8Array;
  /** Visible entries that are not in the session, and their hashes. */
  readonly #made = new Set<IContent>();
  readonly #madeHashes: VisibleHashes;

  constructor(options: LedgerOptions) {
    this.#options = options;
    const { entries, hashes } = options.places;
    this.#removals = new Int32Array(hashes.size);
    this.#visible = new Uint8Array(entries.length);
    this.#madeHashes = new VisibleHashes(hashes);
  }

  add(entry: IContent): void {
    const order = this.#options.places.orderOf(entry);
    if (order !== undefined) this.#visible[order] = 1;
    else if (!this.#made.has(entry)) {
      this.#made.add(entry);
      this.#madeHashes.add(entry);
    }
  }

  /** Applies a change of the context. A change by the recorded agent itself causes no regret. */
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
      const hashes = this.#options.places.hashes.of(block);
      for (let at = 0; at < hashes.length; at++) this.#removals[hashes[at]!] = removal;
    }
  }

  /** Adds a regret for the unmet needs of one event: the strongest one of each block. */
  check(needs: readonly Need[]): void {
    if (this.#removed.length === 0) return;
    const found = needs.map((need) => this.#regretOf(need)).filter((regret) => regret !== undefined);
    for (const [at, regret] of found.entries()) {
      if (found.findIndex((other) => other.block === regret.block) === at) this.regrets.push(regret);
    }
  }

  #isVisible(text: string | undefined): boolean {
    if (text === undefined) return false;
    if (this.#options.texts.isVisible(text, this.#visible)) return true;
    for (const entry of this.#made) if (this.#options.texts.contains(entry, text)) return true;
    return false;
  }

  #shows(hash: number): boolean {
    return this.#madeHashes.has(hash) || this.#options.places.isVisible(hash, this.#visible);
  }

  #regretOf(need: Need): Regret | undefined {
    const isMissing = (hashes: readonly number[]): boolean => !hashes.some((hash) => this.#shows(hash));
    const isRemoved = (hashes: readonly number[]): boolean => hashes.some((hash) => this.#removals[hash] !== 0);
    // Only a removal by the policy can cause a regret.
    if (!need.anyOf.some((hashes) => isRemoved(hashes) && isMissing(hashes))) return undefined;
    // The text may still be visible inside another line.
    const missing = need.anyOf.filter((hashes, at) => isMissing(hashes) && !this.#isVisible(need.texts?.[at]));
    if (missing.length < need.leastMissing) return undefined;
    const removed = missing.flat().find((hash) => this.#removals[hash] !== 0);
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
