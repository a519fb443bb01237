import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';

interface EarlierCall {
  readonly entry: number;
  readonly call: ToolCallBlock;
}

/** The calls of one tool. */
interface ToolCalls {
  readonly byRequest: Map<string, EarlierCall[]>;
  /** Not among them yet, in order: most tools are never asked about. */
  readonly unread: EarlierCall[];
}

/** The calls of a history that grows, by what they ask for. */
export class EarlierCalls {
  readonly #entries: IContent[] = [];
  readonly #tools = new Map<string, ToolCalls>();

  add(content: IContent): void {
    const entry = this.#entries.push(content) - 1;
    for (const call of content.blocks) {
      if (call.type !== 'tool_call') continue;
      const tool = this.#tools.get(call.name);
      if (tool === undefined) this.#tools.set(call.name, { byRequest: new Map(), unread: [{ entry, call }] });
      else tool.unread.push({ entry, call });
    }
  }

  /** What came back to the latest call that asked for the same and has a result; `undefined` where there is none. */
  answerTo(call: ToolCallBlock): ToolResponseBlock | undefined {
    const tool = this.#tools.get(call.name);
    const request = tool && requestOf(call);
    if (tool === undefined || request === undefined) return undefined;
    for (const earlier of tool.unread.splice(0)) read(earlier, tool.byRequest);
    for (const earlier of tool.byRequest.get(request)?.toReversed() ?? []) {
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

function read(earlier: EarlierCall, byRequest: Map<string, EarlierCall[]>): void {
  const request = requestOf(earlier.call);
  if (request === undefined) return;
  const known = byRequest.get(request);
  if (known === undefined) byRequest.set(request, [earlier]);
  // Of several in one entry the first stands for all.
  else if (known.at(-1)!.entry !== earlier.entry) known.push(earlier);
}

const requests = new WeakMap<ToolCallBlock, string>();

/** What a call asks of its tool, as text; `undefined` where that cannot be said. */
function requestOf(call: ToolCallBlock): string | undefined {
  const known = requests.get(call);
  if (known !== undefined) return known;
  try {
    const request = `${JSON.stringify(call.parameters)}`;
    requests.set(call, request);
    return request;
  } catch {
    return undefined;
  }
}
