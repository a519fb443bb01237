import { createToolResponse, type IContent, type ToolCallBlock } from '../content/content.ts';
import { messageOf } from '../errors.ts';
import { nearestName } from '../settings/nearest-name.ts';
import { abortable } from './abortable.ts';
import type { Approver, ChatListener } from './chat-event.ts';
import type { ApprovalKind, Tool, ToolContext } from './tools/contract.ts';
import { TOOLS } from './tools/index.ts';
import { ToolError } from './tools/tool-error.ts';

export interface ToolRound {
  readonly context: ToolContext;
  readonly approve: Approver;
  /** Kinds of calls that run without asking. */
  readonly allowed: Set<ApprovalKind>;
  readonly emit: ChatListener;
  readonly clock: () => number;
}

const CANCELLED = 'The user cancelled this call.';
const DECLINED = 'The user declined this call. Ask what to do instead, or continue without it.';

function toolNamed(name: string): Tool {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool) return tool;
  const names = TOOLS.map((known) => known.name);
  throw new ToolError(
    `There is no tool ${name}. Did you mean ${nearestName(name, names)}? The tools are: ${names.join(', ')}.`,
  );
}

async function resultOf(call: ToolCallBlock, round: ToolRound): Promise<string> {
  const { context, allowed, approve } = round;
  const tool = toolNamed(call.name);
  const prepared = tool.prepare(call.parameters);
  if (tool.asks !== undefined && prepared.preview && !allowed.has(tool.asks)) {
    const approval = await approve({ asks: tool.asks, call, preview: prepared.preview }, context.signal);
    if (approval === 'no') throw new ToolError(DECLINED);
    if (approval === 'always') allowed.add(tool.asks);
  }
  context.signal.throwIfAborted();
  return abortable(prepared.run(context), context.signal);
}

/**
 * Runs calls one after the other and yields the response of each. After an abort, the remaining calls get a response that
 * says so. The model gets the message of an error.
 */
export async function* runCalls(calls: readonly ToolCallBlock[], round: ToolRound): AsyncGenerator<IContent> {
  const { context, emit, clock } = round;
  for (const call of calls) {
    let content: IContent;
    const startedAt = clock();
    try {
      context.signal.throwIfAborted();
      emit({ kind: 'call', call });
      content = createToolResponse(call.id, call.name, await resultOf(call, round));
    } catch (error) {
      const message = context.signal.aborted ? CANCELLED : messageOf(error);
      content = createToolResponse(call.id, call.name, '', message);
    }
    const [response] = content.blocks;
    if (response?.type === 'tool_response') emit({ kind: 'result', call, response, tookMs: clock() - startedAt });
    yield content;
  }
}
