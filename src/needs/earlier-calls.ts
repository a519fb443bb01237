import { GrowingPairing, type PairedCall } from '../content/calls/pairing.ts';
import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';

/** The calls of one tool. */
interface ToolCalls {
  readonly byParameters: Map<string, PairedCall[]>;
  /** Calls that are not in `byParameters` yet, in order: for most tools, `answerTo` is never called. */
  readonly added: PairedCall[];
}

/** The calls of a growing history, found by tool and parameters. */
export class EarlierCalls {
  readonly #pairing = new GrowingPairing();
  readonly #tools = new Map<string, ToolCalls>();

  add(content: IContent): void {
    const known = this.#pairing.calls.length;
    this.#pairing.startEntry(content);
    for (const [at, block] of content.blocks.entries()) this.#pairing.add(block, at);
    for (const paired of this.#pairing.calls.slice(known)) {
      const { name } = paired.call;
      const tool = this.#tools.get(name);
      if (tool === undefined) this.#tools.set(name, { byParameters: new Map(), added: [paired] });
      else tool.added.push(paired);
    }
  }

  /** The result of the latest call with equal parameters that has one; `undefined` if there is none. */
  resultOf(call: ToolCallBlock): ToolResponseBlock | undefined {
    const tool = this.#tools.get(call.name);
    const parameters = tool && parametersText(call);
    if (tool === undefined || parameters === undefined) return undefined;
    for (const earlier of tool.added.splice(0)) insert(earlier, tool.byParameters);
    return tool.byParameters.get(parameters)?.findLast(({ responses }) => responses.length > 0)?.responses[0]?.response;
  }
}

function insert(earlier: PairedCall, byParameters: Map<string, PairedCall[]>): void {
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
