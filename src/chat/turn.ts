import { type ContentBlock, createToolResponse, type IContent, type ToolCallBlock } from '../content/content.ts';
import { raced } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import type { AnswerOutcome, ChatModel, ToolSpecification } from '../providers/chat-model.ts';
import { nearestName } from '../settings/nearest-name.ts';
import { askModel, type Wait } from './ask-model.ts';
import type { Approver, CallEnding, ChatListener, TurnEnd } from './chat-event.ts';
import type { ChatSession } from './session/chat-session.ts';
import type { ApprovalKind, CallPreview, Tool, ToolContext } from './tools/contract.ts';
import { TOOLS } from './tools/index.ts';
import { ToolError } from './tools/tool-error.ts';

interface ToolRound {
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
    return ended('done', { result: await raced(prepared.run(), signal) });
  } catch (error) {
    if (signal.aborted) return ended('cancelled', { result: '', error: CANCELLED });
    detail = [];
    return ended('failed', { result: '', error: messageOf(error) });
  }
}

/** Runs a call and returns its response. After an abort it says so. The model gets the message of an error. */
async function responseTo(call: ToolCallBlock, round: ToolRound): Promise<IContent> {
  const { result, error, ...seen } = await outcomeOf(call, round);
  const content = createToolResponse(call.id, call.name, result, error);
  const [response] = content.blocks;
  if (response?.type === 'tool_response') round.emit({ kind: 'result', call, response, ...seen });
  return content;
}

interface Turn {
  readonly session: ChatSession;
  readonly model: ChatModel;
  readonly instructions: string;
  readonly tools: readonly ToolSpecification[];
  readonly round: ToolRound;
  readonly emit: ChatListener;
  readonly wait: Wait;
  readonly signal: AbortSignal;
}

/** Stops a model that calls tools without end. */
const MAX_STEPS = 200;
/** A provider's count that differs more is ignored: some servers do not count cached input. */
const PLAUSIBLE_RATIO = 2;

const CUT = 'The answer was cut at the output limit of the model.';

const isCall = (block: ContentBlock): block is ToolCallBlock => block.type === 'tool_call';
const textOf = ({ blocks }: IContent): string =>
  blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('');

/** Notes the provider's count, and sets the total of the history to it if that is plausible. */
function anchorTotal({ session }: Turn, { metadata }: IContent): void {
  const { history } = session;
  const counted = history.getTotalTokens();
  const reported = metadata?.usage?.totalTokens ?? 0;
  if (metadata?.usage) session.lastUsage = { ...metadata.usage, countedTokens: counted };
  if (reported * PLAUSIBLE_RATIO >= counted && reported <= counted * PLAUSIBLE_RATIO) history.syncTotalTokens(reported);
}

/** The next answer of the model. An interrupted answer is kept as far as it came. @throws the signal's reason. */
async function nextAnswer(turn: Turn): Promise<AnswerOutcome> {
  const { session, model, instructions, tools, emit, wait, signal } = turn;
  let partial = '';
  try {
    const history = session.history.getCuratedForProvider();
    const onPart: Parameters<typeof askModel>[1]['onPart'] = (part) => {
      if (part.kind === 'text') partial += part.text;
      emit({ kind: 'part', part });
    };
    return await askModel(model, { instructions, history, tools, onPart }, { signal, emit, wait });
  } catch (error) {
    if (partial !== '') {
      await session.add({
        speaker: 'ai',
        blocks: [{ type: 'text', text: partial }],
        metadata: { provider: model.name, model: model.model, reason: 'cancelled' },
      });
    }
    throw error;
  }
}

/** The next answer. If the provider says that the request is too long, compresses once and sends it again. */
async function fittingAnswer(turn: Turn): Promise<AnswerOutcome> {
  const { session, emit, signal } = turn;
  await session.prepareSend(signal);
  const outcome = await nextAnswer(turn);
  if (outcome.kind === 'answer' || outcome.failure !== 'overflow') return outcome;
  emit({ kind: 'notice', text: `${outcome.message}; compressing the history, then sending it again` });
  const compression = await session.compress(signal);
  return compression.kind === 'compressed' ? nextAnswer(turn) : outcome;
}

async function steps(turn: Turn): Promise<TurnEnd> {
  const { session, emit, round, signal } = turn;
  for (let step = 0; step < MAX_STEPS; step++) {
    const outcome = await fittingAnswer(turn);
    if (outcome.kind === 'failed') return { kind: 'failed', message: outcome.message };
    const { content, isTruncated } = outcome;
    await session.add(content);
    await raced(session.history.waitForTokenUpdates(), signal);
    anchorTotal(turn, content);
    emit({ kind: 'answered', text: textOf(content) });
    const calls = content.blocks.filter(isCall);
    if (isTruncated)
      emit({ kind: 'notice', text: calls.length === 0 ? CUT : `${CUT} You are asked before its calls run.` });
    if (calls.length === 0) return { kind: 'answered' };
    for (const call of calls) await session.add(await responseTo(call, { ...round, isCut: isTruncated }));
    signal.throwIfAborted();
  }
  return { kind: 'failed', message: `Stopped after ${MAX_STEPS} rounds of tool calls. Type "continue" to continue.` };
}

/** Adds the user's message and runs until the model answers without a call. Never throws. */
export async function runTurn(turn: Turn, said: readonly ContentBlock[]): Promise<TurnEnd> {
  try {
    await turn.session.add({ speaker: 'human', blocks: said });
    return await steps(turn);
  } catch (error) {
    if (turn.signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', message: messageOf(error) };
  }
}
