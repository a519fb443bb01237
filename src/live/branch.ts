import { createHash } from 'node:crypto';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import type { JsonPath } from '../formats/json/json-splice.ts';
import { estimatedTokens, type LiveDialect, textPlace } from './dialects.ts';
import type { FrozenDecisions } from './frozen.ts';
import type { RequestList } from './request-list.ts';

/** A result whose text can be replaced. */
export interface LiveResult {
  /** The same for the same text of the same call, in every request. */
  readonly id: string;
  readonly block: ToolResponseBlock;
  readonly text: string;
  readonly path: JsonPath;
  /** The entry of the element, and the block in it. */
  readonly entry: number;
  readonly blockAt: number;
}

/** An element of the list as it was read. */
export interface Element {
  readonly hash: string;
  readonly isAnswer: boolean;
  readonly entries: readonly IContent[];
  readonly tokens: readonly number[];
  readonly results: readonly LiveResult[];
}

const isSigned = (block: ContentBlock): boolean =>
  block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined);

export const hasSignedThinking = (entry: IContent): boolean => entry.blocks.some(isSigned);

export const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

/** Without cache marks, whose place moves with every turn. */
export const elementHash = (element: object): string =>
  hashOf(JSON.stringify(element, (key, value: unknown) => (key === 'cache_control' ? undefined : value)));

/** Long work in slices, between which other work of this thread runs. */
export class Slices {
  static readonly #SLICE_MS = 4;
  #until = performance.now() + Slices.#SLICE_MS;

  /** Call it between parts of the work: waits if the slice is over. */
  async rest(): Promise<void> {
    if (performance.now() < this.#until) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#until = performance.now() + Slices.#SLICE_MS;
  }
}

/** One conversation as its last request showed it. */
export class Branch {
  readonly decisions: FrozenDecisions;
  elements: readonly Element[] = [];
  list: RequestList | undefined;
  /** Calls by id, and the files that were read, also those that are not in the list any more. */
  readonly calls = new Map<string, ToolCallBlock>();
  readonly readTexts = new Map<string, string>();
  sentAtMs: number | undefined;
  model: string | undefined;
  lifetimeMs: number | undefined;
  /** Tokens of the system prompt and the tools, as they were first. */
  constantTokens: number | undefined;
  /** The entries that the rules have seen. */
  ruledEntries = 0;
  #read: ReturnType<LiveDialect['reader']>;
  readonly #dialect: LiveDialect;

  constructor(dialect: LiveDialect, decisions: FrozenDecisions) {
    this.#dialect = dialect;
    this.#read = dialect.reader();
    this.decisions = decisions;
  }

  /** Takes over what another branch knows, to go another way after its first `shared` elements. */
  leave(other: Branch, shared: number): void {
    this.elements = other.elements.slice(0, shared);
    for (const [id, call] of other.calls) this.calls.set(id, call);
    for (const [key, text] of other.readTexts) this.readTexts.set(key, text);
    this.sentAtMs = other.sentAtMs;
    this.model = other.model;
    this.lifetimeMs = other.lifetimeMs;
    this.constantTokens = other.constantTokens;
    this.#read = other.#read;
  }

  /** The number of elements at the start that the last request had too. */
  shared(hashAt: (index: number) => string, { same, length }: RequestList): number {
    const most = Math.min(this.elements.length, length);
    let shared = Math.min(same, most);
    while (shared < most && this.elements[shared]!.hash === hashAt(shared)) shared++;
    return shared;
  }

  /** Reads what is new since the last request. */
  async follow(list: RequestList, shared: number, slices: Slices): Promise<void> {
    const elements = this.elements.slice(0, shared);
    for (let index = shared; index < list.length; index++) {
      elements.push(this.#element(list.element(index)));
      await slices.rest();
    }
    this.elements = elements;
    this.list = list;
  }

  #element(value: ReturnType<RequestList['element']>): Element {
    const parts = this.#read(value);
    const entries: IContent[] = [];
    const results: LiveResult[] = [];
    for (const { speaker, blocks, places, metadata } of parts) {
      for (const [blockAt, block] of blocks.entries()) {
        if (block.type === 'tool_call') this.calls.set(block.id, block);
        if (block.type !== 'tool_response') continue;
        const path = this.#dialect.textPath(value, places[blockAt]!);
        const place = path && textPlace(value, path);
        if (!place) continue;
        const id = `${block.callId} ${hashOf(place.text)}`;
        results.push({ id, block, ...place, entry: entries.length, blockAt });
      }
      entries.push({ speaker, blocks, ...(metadata && { metadata }) });
    }
    return {
      hash: elementHash(value),
      isAnswer: entries.some(({ speaker }) => speaker === 'ai'),
      entries,
      tokens: entries.map(estimatedTokens),
      results,
    };
  }
}
