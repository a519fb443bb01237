import type { IContent, ToolResponseBlock } from '../../src/content/content.ts';
import type { Counter } from '../../src/history/counter.ts';
import type { CountRequest, EntryCount } from '../../src/history/engine.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import type { HistoryServiceOptions } from '../../src/history/options.ts';

export const human = (text: string, id?: string): IContent => ({
  speaker: 'human',
  blocks: [{ type: 'text', text }],
  ...(id !== undefined && { metadata: { id } }),
});
export const ai = (text: string): IContent => ({ speaker: 'ai', blocks: [{ type: 'text', text }] });
export const call = (...ids: string[]): IContent => ({
  speaker: 'ai',
  blocks: ids.map((id) => ({ type: 'tool_call', id, name: 'read_file', parameters: { file_path: `${id}.ts` } })),
});
export const answer = (
  id: string,
  result: unknown = `text of ${id}`,
  rest: Partial<ToolResponseBlock> = {},
): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId: id, toolName: 'read_file', result, ...rest }],
});

/** One token per character of JSON: every change of an entry changes its count. */
export const characterCounter: Counter = {
  countEntry: (entry) => JSON.stringify(entry.blocks).length,
  countText: (text) => text.length,
};

/** An engine that counts characters, records what it was asked to count and can be held back or made to fail. */
export class RecordingEngine extends InlineEngine {
  /** One list of entries for each request. */
  readonly requests: (readonly IContent[])[] = [];
  #held: Promise<void> = Promise.resolve();
  #release = (): void => {};

  constructor(counter: Counter = characterCounter) {
    super(counter);
  }

  /** Counts asked for from now on wait for `release`. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release();
  }

  override async *countEntries(
    entries: readonly IContent[],
    request: CountRequest,
  ): AsyncGenerator<readonly EntryCount[]> {
    this.requests.push(entries);
    await this.#held;
    yield* super.countEntries(entries, request);
  }
}

/** A history that counts characters and finds entries changed in place. */
export function createHistory(
  entries: readonly IContent[] = [],
  options: HistoryServiceOptions & { engine?: RecordingEngine } = {},
) {
  const engine = options.engine ?? new RecordingEngine();
  const history = new HistoryService({ ...options, engine, detectMutation: true });
  history.addAll(entries);
  return history;
}

/** Tokens of these entries, counted from scratch. */
export const tokensOf = (entries: readonly IContent[]): number =>
  entries.reduce((sum, entry) => sum + characterCounter.countEntry(entry, ''), 0);
