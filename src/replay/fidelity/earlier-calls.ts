import type { IContent, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';

interface EarlierCall {
  readonly entry: number;
  readonly call: ToolCallBlock;
}

/** The calls of a history that grows, by what they ask for. */
export class EarlierCalls {
  readonly #entries: IContent[] = [];
  readonly #calls = new Map<string, EarlierCall[]>();

  add(content: IContent): void {
    const entry = this.#entries.push(content) - 1;
    for (const call of content.blocks) {
      const request = call.type === 'tool_call' ? requestOf(call) : undefined;
      if (call.type !== 'tool_call' || request === undefined) continue;
      const known = this.#calls.get(request);
      if (known === undefined) this.#calls.set(request, [{ entry, call }]);
      // Of several in one entry the first stands for all.
      else if (known.at(-1)!.entry !== entry) known.push({ entry, call });
    }
  }

  /** What came back to the latest call that asked for the same and has a result; `undefined` where there is none. */
  answerTo(call: ToolCallBlock): ToolResponseBlock | undefined {
    const request = requestOf(call);
    const known = request === undefined ? undefined : this.#calls.get(request);
    for (const earlier of known?.toReversed() ?? []) {
      const answer = this.#answerOf(earlier);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  #answerOf({ entry, call }: EarlierCall): ToolResponseBlock | undefined {
    for (let at = entry; at < this.#entries.length; at++) {
      for (const block of this.#entries[at]!.blocks) {
        if (block.type === 'tool_response' && block.callId === call.id) return block;
      }
    }
    return undefined;
  }
}

const requests = new WeakMap<ToolCallBlock, string>();

/** What a call asks for, as text; `undefined` where that cannot be said. */
function requestOf(call: ToolCallBlock): string | undefined {
  const known = requests.get(call);
  if (known !== undefined) return known;
  try {
    const request = `${call.name} ${JSON.stringify(call.parameters)}`;
    requests.set(call, request);
    return request;
  } catch {
    return undefined;
  }
}
