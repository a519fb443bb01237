import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';

interface EarlierCall {
  readonly entry: number;
  readonly call: ToolCallBlock;
}

/** The calls of one tool. */
interface ToolCalls {
  readonly byParameters: Map<string, EarlierCall[]>;
  /** Calls that are not in `byParameters` yet, in order: for most tools, `answerTo` is never called. */
  readonly added: EarlierCall[];
}

/** The calls of a growing history, found by tool and parameters. */
export class EarlierCalls {
  readonly #entries: IContent[] = [];
  readonly #tools = new Map<string, ToolCalls>();

  add(content: IContent): void {
    const entry = this.#entries.push(content) - 1;
    for (const call of content.blocks) {
      if (call.type !== 'tool_call') continue;
      const tool = this.#tools.get(call.name);
      if (tool === undefined) this.#tools.set(call.name, { byParameters: new Map(), added: [{ entry, call }] });
      else tool.added.push({ entry, call });
    }
  }

  /** The result of the latest call with equal parameters that has one; `undefined` if there is none. */
  resultOf(call: ToolCallBlock): ToolResponseBlock | undefined {
    const tool = this.#tools.get(call.name);
    const parameters = tool && parametersText(call);
    if (tool === undefined || parameters === undefined) return undefined;
    for (const earlier of tool.added.splice(0)) insert(earlier, tool.byParameters);
    for (const earlier of tool.byParameters.get(parameters)?.toReversed() ?? []) {
      const result = this.#firstResultOf(earlier);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  #firstResultOf({ entry, call }: EarlierCall): ToolResponseBlock | undefined {
    for (let at = entry; at < this.#entries.length; at++) {
      for (const block of this.#entries[at]!.blocks) {
        if (block.type === 'tool_response' && block.callId === call.id) return block;
      }
    }
    return undefined;
  }
}

function insert(earlier: EarlierCall, byParameters: Map<string, EarlierCall[]>): void {
  const parameters = parametersText(earlier.call);
  if (parameters === undefined) return;
  const calls = byParameters.get(parameters);
  if (calls === undefined) byParameters.set(parameters, [earlier]);
  // If an entry has several equal calls, only the first counts.
  else if (calls.at(-1)!.entry !== earlier.entry) calls.push(earlier);
}

const cache = new WeakMap<ToolCallBlock, string>();

/** The parameters of a call as JSON; `undefined` if they cannot be written as JSON. */
function parametersText(call: ToolCallBlock): string | undefined {
  const cached = cache.get(call);
  if (cached !== undefined) return cached;
  try {
    const text = `${JSON.stringify(call.parameters)}`;
    cache.set(call, text);
    return text;
  } catch {
    return undefined;
  }
}
