import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { CountBlock } from '../block-counter.ts';
import { type BlockMarks, VisibleMarks } from './block-marks.ts';
import type { ChangedItem, ChangeRule } from './changed-items.ts';
import type { Need, NeedKind } from './needs.ts';

/** `exact`: the event cannot have been written without what is gone. `likely`: it may have come from elsewhere. */
export type Certainty = 'exact' | 'likely';

/** Something that a policy took away and that was needed later, with no visible copy left. */
export interface Regret {
  readonly kind: NeedKind;
  readonly certainty: Certainty;
  /** The rule that took it away, and at which model call, from 1. */
  readonly rule: ChangeRule;
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
  readonly rule: ChangeRule;
  readonly turn: number;
  readonly tool?: string;
  readonly tokens: number;
}

/** A quotation of so many lines that are gone is no chance. */
const EXACT_QUOTED_LINES = 2;

/** Keeps what is visible under a policy and what it took away, and says which needs are not met. */
export class RegretLedger {
  readonly #marks: BlockMarks;
  readonly #count: CountBlock;
  readonly #visible: VisibleMarks;
  readonly #removed = new Map<number, RemovedBlock>();
  readonly #regrets: Regret[] = [];
  #entries: IContent[] = [];

  constructor(marks: BlockMarks, count: CountBlock) {
    this.#marks = marks;
    this.#count = count;
    this.#visible = new VisibleMarks(marks);
  }

  get regrets(): readonly Regret[] {
    return this.#regrets;
  }

  add(entry: IContent): void {
    this.#visible.add(entry);
    this.#entries.push(entry);
  }

  /** The policy changed what is visible, or the recorded agent did: then no item is anyone's fault. */
  move(
    before: readonly IContent[],
    after: readonly IContent[],
    { items, turn }: { items: readonly ChangedItem[]; turn: number },
  ): void {
    this.#visible.move(before, after);
    this.#entries = [...after];
    for (const { rule, block } of items) {
      const tool =
        block.type === 'tool_call' ? block.name : block.type === 'tool_response' ? block.toolName : undefined;
      const removed = { rule, turn, tokens: this.#count(block), ...(tool !== undefined && { tool }) };
      for (const mark of this.#marks.of(block)) this.#removed.set(mark, removed);
    }
  }

  /** Notes which of the needs of one event are not met; one regret for each block, the strongest. */
  check(needs: readonly Need[]): void {
    const found = needs.map((need) => this.#regretOf(need)).filter((regret) => regret !== undefined);
    for (const [at, regret] of found.entries()) {
      if (found.findIndex((other) => other.block === regret.block) === at) this.#regrets.push(regret);
    }
  }

  #stands(text: string | undefined): boolean {
    if (text === undefined) return false;
    return this.#entries.some(({ blocks }) =>
      blocks.some((block) => blockTexts(block).some((whole) => whole.includes(text))),
    );
  }

  #regretOf(need: Need): Regret | undefined {
    const isGone = (marks: readonly number[]): boolean => !marks.some((mark) => this.#visible.has(mark));
    if (need.anyOf.filter(isGone).length < need.leastMissing) return undefined;
    // It may stand inside of another line: rare enough to look through everything.
    const missing = need.anyOf.filter((marks, at) => isGone(marks) && !this.#stands(need.texts?.[at]));
    if (missing.length < need.leastMissing) return undefined;
    const removed = missing.flat().map((mark) => this.#removed.get(mark));
    const cause = removed.find((block) => block !== undefined);
    if (cause === undefined) return undefined;
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
