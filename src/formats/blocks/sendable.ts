import { withStatedError } from '../../content/calls/error-of.ts';
import {
  type PairedCall,
  type PairedResponse,
  pairCalls,
  responseExtent,
  uniqueIds,
} from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolResponseBlock } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import { responseBlock, resultText } from './tool-result.ts';

const NO_RESULT = 'No result was recorded.';

/** Characters that providers reject in the id of a call; an id must be unique. Source: API references of Anthropic and OpenAI. */
const FOREIGN = /[^a-zA-Z0-9_-]/g;

/** The entry with errors that are texts, as every format writes them. */
function withStatedErrors(entry: IContent): IContent {
  const isStated = entry.blocks.every((block) => block.type !== 'tool_response' || withStatedError(block) === block);
  if (isStated) return entry;
  const blocks = entry.blocks.map((block) => (block.type === 'tool_response' ? withStatedError(block) : block));
  return { ...entry, blocks };
}

/** A unique, valid id for each call; its own if possible. */
function sendableIds(calls: readonly PairedCall[], foreign: RegExp): Map<PairedCall, string> {
  const ids = uniqueIds(calls.map(({ call }) => call.id.replace(foreign, '_')));
  return new Map(calls.map((paired, at) => [paired, ids[at]!]));
}

class Arrangement {
  readonly entries: IContent[] = [];
  readonly #history: readonly IContent[];
  readonly #ids: Map<PairedCall, string>;
  readonly #callsByEntry: Map<number, PairedCall[]>;
  readonly #responsesByEntry: Map<number, PairedResponse[]>;
  readonly #placed = new Set<PairedResponse>();
  /** Calls of the last answer without a result: pending, unless more entries follow. */
  #open: readonly PairedCall[] = [];

  constructor(history: readonly IContent[], foreign: RegExp) {
    this.#history = history.map(withStatedErrors);
    const { calls, responses } = pairCalls(this.#history);
    this.#ids = sendableIds(calls, foreign);
    this.#callsByEntry = groupBy(calls, ({ entry }) => entry);
    this.#responsesByEntry = groupBy(responses, ({ entry }) => entry);
  }

  entry(index: number): void {
    const entry = this.#history[index] as IContent;
    if (entry.speaker === 'tool') this.#leftOver(entry, this.#responsesByEntry.get(index) ?? []);
    else {
      const calls = this.#callsByEntry.get(index) ?? [];
      this.#say(calls.length > 0 ? this.#renamed(entry, calls) : entry);
      this.#answers(calls);
    }
  }

  #say(entry: IContent): void {
    if (this.#open.length > 0) this.entries.push(this.#notRecorded(this.#open));
    this.#open = [];
    this.entries.push(entry);
  }

  #notRecorded(calls: readonly PairedCall[]): IContent {
    const blocks = calls.map((paired) =>
      responseBlock(this.#ids.get(paired) ?? paired.call.id, paired.call.name, { result: '', error: NO_RESULT }),
    );
    return { speaker: 'tool', blocks };
  }

  #renamed(entry: IContent, calls: readonly PairedCall[]): IContent {
    if (calls.every((paired) => this.#ids.get(paired) === paired.call.id)) return entry;
    const blocks = [...entry.blocks];
    for (const paired of calls) blocks[paired.block] = { ...paired.call, id: this.#ids.get(paired) ?? paired.call.id };
    return { ...entry, blocks };
  }

  /** Adds the first result of each call, in the order of the history. */
  #answers(calls: readonly PairedCall[]): void {
    const first = calls.flatMap(({ responses }) => responses[0] ?? []);
    const inOrder = first.toSorted((one, other) => one.entry - other.entry || one.block - other.block);
    for (const [index, responses] of groupBy(inOrder, ({ entry }) => entry)) {
      for (const response of responses) this.#placed.add(response);
      this.entries.push(this.#answer(this.#history[index] as IContent, index, responses));
    }
    const missing = calls.filter(({ responses }) => responses.length === 0);
    // Providers reject some results without the others; without any result, the calls may be pending.
    if (missing.length > 0 && first.length > 0) this.entries.push(this.#notRecorded(missing));
    else this.#open = missing;
  }

  #answer(entry: IContent, index: number, responses: readonly PairedResponse[]): IContent {
    const isWhole = responses.length === this.#responsesByEntry.get(index)?.length;
    const idOf = ({ call, response }: PairedResponse): string => (call && this.#ids.get(call)) || response.callId;
    if (isWhole && responses.every((paired) => idOf(paired) === paired.response.callId)) return entry;
    const blocks = responses.flatMap((paired): ContentBlock[] => {
      const [start, end] = responseExtent(entry, paired.block);
      return entry.blocks
        .slice(start, end)
        .map((block) => (block === paired.response ? { ...paired.response, callId: idOf(paired) } : block));
    });
    return { ...entry, speaker: 'tool', blocks };
  }

  /** Adds results without a call, and repeated results of a call, as text, so that nothing is lost. */
  #leftOver(entry: IContent, responses: readonly PairedResponse[]): void {
    if (responses.length === 0) this.#say({ ...entry, speaker: 'human' });
    const rest = responses.filter((response) => !this.#placed.has(response));
    if (rest.length === 0) return;
    const blocks = rest.flatMap(({ block, response }): ContentBlock[] => {
      const [start, end] = responseExtent(entry, block);
      const text = [`[result of ${response.toolName}]`, response.error, resultText(response.result)];
      return entry.blocks
        .slice(start, end)
        .map((part) =>
          part === response ? { type: 'text', text: text.filter((line) => line !== undefined).join('\n') } : part,
        );
    });
    this.#say({ ...entry, speaker: 'human', blocks });
  }
}

/**
 * The same history in a form that providers accept: an answer with calls is followed by exactly their results, and ids
 * are unique. A call without a result gets a failed one, unless the history ends before any result of its answer; a
 * result without a call becomes text. Entries that need no change are the same objects. `foreign`: characters that an id
 * must not contain. Linear.
 */
export function sendable(history: readonly IContent[], foreign: RegExp = FOREIGN): IContent[] {
  const arrangement = new Arrangement(history, foreign);
  for (const index of history.keys()) arrangement.entry(index);
  return arrangement.entries;
}

/** Each result of a tool entry, with the text, code and media that belong to it. */
export function attachedResponses(entry: IContent): { response: ToolResponseBlock; parts: ContentBlock[] }[] {
  return entry.blocks.flatMap((response, index) => {
    if (response.type !== 'tool_response') return [];
    const [start, end] = responseExtent(entry, index);
    return { response, parts: entry.blocks.slice(start, end).filter((block) => block !== response) };
  });
}
