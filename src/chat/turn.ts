import type { ContentBlock, IContent, ToolCallBlock } from '../content/content.ts';
import { messageOf } from '../errors.ts';
import type { AnswerOutcome, ChatModel, ToolSpecification } from '../providers/chat-model.ts';
import { abortable } from './abortable.ts';
import { askModel, type Wait } from './ask-model.ts';
import type { ChatListener, TurnEnd } from './chat-event.ts';
import type { ChatSession } from './session/chat-session.ts';
import { runCalls, type ToolRound } from './tool-round.ts';

/** What a turn needs. */
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

/** A model that calls tools for ever is stopped. */
const MAX_STEPS = 200;
/** A provider whose count is further off does not count what was sent: some servers leave out what they cached. */
const PLAUSIBLE_RATIO = 2;

const isCall = (block: ContentBlock): block is ToolCallBlock => block.type === 'tool_call';
const textOf = ({ blocks }: IContent): string =>
  blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('');

/** What the provider counted anchors the total, which is then that of history and answer. */
function anchorTotal({ session: { history } }: Turn, content: IContent): void {
  const reported = content.metadata?.usage?.totalTokens ?? 0;
  const counted = history.getTotalTokens();
  if (reported * PLAUSIBLE_RATIO >= counted && reported <= counted * PLAUSIBLE_RATIO) history.syncTotalTokens(reported);
}

/** What the model says next; its words so far are kept when it is interrupted. @throws the signal's reason. */
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

/** One answer that fits: what the provider finds too long all the same is compressed once and sent again. */
async function fittingAnswer(turn: Turn): Promise<AnswerOutcome> {
  const { session, emit, signal } = turn;
  await session.prepareSend(signal);
  const outcome = await nextAnswer(turn);
  if (outcome.kind === 'answer' || outcome.failure !== 'overflow') return outcome;
  emit({ kind: 'notice', text: `${outcome.message}; compressing and sending again` });
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
    if (isTruncated) emit({ kind: 'notice', text: 'The answer stopped at the longest that the model gives.' });
    const calls = content.blocks.filter(isCall);
    if (calls.length === 0) return { kind: 'answered' };
    for await (const response of runCalls(calls, round)) await session.add(response);
    signal.throwIfAborted();
  }
  return { kind: 'failed', message: `Stopped after ${MAX_STEPS} rounds of tool calls. Say "go on" to continue.` };
}

/** Adds what the user said and goes on until the model has answered without a call. Whatever happens is a value. */
export async function runTurn(turn: Turn, said: readonly ContentBlock[]): Promise<TurnEnd> {
  try {
    await turn.session.add({ speaker: 'human', blocks: said });
    return await steps(turn);
  } catch (error) {
    if (turn.signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', message: messageOf(error) };
  }
}
