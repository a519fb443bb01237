import type { ContentBlock, IContent, ToolCallBlock } from '../content/content.ts';
import { messageOf } from '../errors.ts';
import type { AnswerOutcome, ChatModel, ToolSpecification } from '../providers/chat-model.ts';
import { abortable } from './abortable.ts';
import { askModel, type Wait } from './ask-model.ts';
import type { ChatListener, TurnEnd } from './chat-event.ts';
import type { ChatSession } from './session/chat-session.ts';
import { runCalls, type ToolRound } from './tool-round.ts';

export interface Turn {
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
    await abortable(session.history.waitForTokenUpdates(), signal);
    anchorTotal(turn, content);
    emit({ kind: 'answered', text: textOf(content) });
    const calls = content.blocks.filter(isCall);
    if (isTruncated)
      emit({ kind: 'notice', text: calls.length === 0 ? CUT : `${CUT} You are asked before its calls run.` });
    if (calls.length === 0) return { kind: 'answered' };
    for await (const response of runCalls(calls, { ...round, isCut: isTruncated })) await session.add(response);
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
