import type { IContent } from '../src/content/content.ts';
import { ownSession } from './gated-history.ts';

const ENTRY_UNITS = 4 * 1024;
const SEED = 77;
/** Text to cut entries from; the text of a turn is new in that order. */
const SOURCE_TOKENS = 1_000_000;
const FILES = 7;
/** Every fifth turn changes a file that was read before, so that something is pruned in it. */
const TURNS_PER_WRITE = 5;

/**
 * Turns as an agent makes them: what the user said, a call, and its result, 4 KB each, from recorded sessions. Calls
 * read a few files over and over, and change one in every fifth turn.
 */
export class OrdinaryTurns {
  readonly #text: string;
  #at = 0;
  #turn = 0;

  constructor() {
    const { entries } = ownSession(SOURCE_TOKENS, SEED);
    this.#text = entries
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.type === 'text' ? block.text : block.type === 'tool_response' ? block.result : []))
      .filter((value) => typeof value === 'string')
      .join('\n');
  }

  /** The entries of the next turn. */
  next(): IContent[] {
    const turn = this.#turn++;
    const isWrite = turn % TURNS_PER_WRITE === TURNS_PER_WRITE - 1;
    const id = `turn_${turn}`;
    const name = isWrite ? 'Edit' : 'Read';
    const parameters = { file_path: `/home/dev/turns/file-${(isWrite ? turn - 1 : turn) % FILES}.ts` };
    const call = { type: 'tool_call', id, name, parameters } as const;
    return [
      { speaker: 'human', blocks: [{ type: 'text', text: this.#part() }] },
      { speaker: 'ai', blocks: [{ type: 'text', text: this.#part() }, call] },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: name, result: this.#part() }] },
    ];
  }

  /** A copy, so that no turn keeps the text of all turns in memory. */
  #part(): string {
    if (this.#at + ENTRY_UNITS > this.#text.length) this.#at = (this.#at + 13) % ENTRY_UNITS;
    const part = this.#text.slice(this.#at, this.#at + ENTRY_UNITS);
    this.#at += ENTRY_UNITS;
    return structuredClone(part);
  }
}
