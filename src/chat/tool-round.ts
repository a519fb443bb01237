import { createToolResponse, type IContent, type ToolCallBlock } from '../content/content.ts';
import { messageOf } from '../errors.ts';
import { nearestName } from '../settings/nearest-name.ts';
import { abortable } from './abortable.ts';
import type { Approver, CallEnding, ChatListener } from './chat-event.ts';
import type { ApprovalKind, CallPreview, Tool, ToolContext } from './tools/contract.ts';
import { TOOLS } from './tools/index.ts';
import { ToolError } from './tools/tool-error.ts';

export interface ToolRound {
  readonly context: Omit<ToolContext, 'onOutput'>;
  readonly approve: Approver;
  /** Kinds of calls that run without asking. */
  readonly allowed: Set<ApprovalKind>;
  readonly emit: ChatListener;
  readonly clock: () => number;
  /** Why a call is not run, for the model; `undefined`: it runs. */
  readonly refusalOf: (call: ToolCallBlock) => Promise<string | undefined>;
  /** True if the answer was cut after these calls: what the model wanted is not known whole, so each is asked for as a change is. */
  readonly isCut?: boolean;
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

/** What a call gave: its result, or why there is none; and what the user sees of it. */
interface CallOutcome {
  readonly ending: CallEnding;
  readonly result: string;
  readonly error?: string;
  readonly detail: readonly string[];
  /** Without the time that the user took to answer. */
  readonly tookMs: number;
}

/** A call that changes nothing, as the user sees it. */
const previewOf = ({ name, parameters }: ToolCallBlock): CallPreview => ({
  title: `run ${name}`,
  detail: JSON.stringify(parameters, undefined, 1)
    .split('\n')
    .map((line) => ` ${line}`),
});

async function outcomeOf(call: ToolCallBlock, round: ToolRound): Promise<CallOutcome> {
  const { allowed, approve, emit, clock } = round;
  const context = { ...round.context, onOutput: (text: string): void => emit({ kind: 'output', call, text }) };
  const { signal } = context;
  let startedAt = clock();
  let detail: readonly string[] = [];
  const ended = (ending: CallEnding, outcome: Pick<CallOutcome, 'result' | 'error'>): CallOutcome => ({
    ...{ ending, ...outcome, detail, tookMs: clock() - startedAt },
  });
  try {
    signal.throwIfAborted();
    emit({ kind: 'call', call });
    const tool = toolNamed(call.name);
    const prepared = await tool.prepare(call.parameters, context);
    const { preview = previewOf(call) } = prepared;
    const refusal = await round.refusalOf(call);
    if (refusal !== undefined) return ended('failed', { result: '', error: refusal });
    const asks = tool.asks ?? (round.isCut === true ? 'write' : undefined);
    if (asks !== undefined && !allowed.has(asks)) {
      const approval = await approve({ asks, call, preview }, signal);
      startedAt = clock();
      if (approval === 'no') return ended('declined', { result: '', error: DECLINED });
      if (approval === 'always') allowed.add(asks);
    }
    signal.throwIfAborted();
    if (tool.asks === 'write') detail = preview.detail;
    return ended('done', { result: await abortable(prepared.run(), signal) });
  } catch (error) {
    if (signal.aborted) return ended('cancelled', { result: '', error: CANCELLED });
    detail = [];
    return ended('failed', { result: '', error: messageOf(error) });
  }
}

/**
 * Runs calls one after the other and yields the response of each. After an abort, the remaining calls get a response that
 * says so. The model gets the message of an error.
 */
export async function* runCalls(calls: readonly ToolCallBlock[], round: ToolRound): AsyncGenerator<IContent> {
  for (const call of calls) {
    const { result, error, ...seen } = await outcomeOf(call, round);
    const content = createToolResponse(call.id, call.name, result, error);
    const [response] = content.blocks;
    if (response?.type === 'tool_response') round.emit({ kind: 'result', call, response, ...seen });
    yield content;
  }
}
