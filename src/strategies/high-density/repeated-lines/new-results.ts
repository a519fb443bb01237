import type { IContent, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import type { BlockPlace, CallPlace } from '../../reasons/call-place.ts';

/** A result that was not sent yet, and its call in the last answer of the model. */
export interface NewResult extends BlockPlace {
  readonly response: ToolResponseBlock & { readonly result: string };
  readonly call: ToolCallBlock;
  readonly place: CallPlace;
}

/** The end of a history: its last answer from `answerFrom` on, and what came after it, from `newFrom` on. */
export interface NewPart {
  readonly answerFrom: number;
  readonly newFrom: number;
  readonly results: readonly NewResult[];
}

/** The results of a history that came after the last answer of the model. Linear in them and in that answer. */
export function newPart(history: readonly IContent[]): NewPart {
  const newFrom = history.findLastIndex(({ speaker }) => speaker === 'ai') + 1;
  let answerFrom = newFrom;
  while (history[answerFrom - 1]?.speaker === 'ai') answerFrom--;
  const calls = new Map<string, Pick<NewResult, 'call' | 'place'> | undefined>();
  for (let entry = answerFrom; entry < newFrom; entry++) {
    for (const [block, call] of history[entry]!.blocks.entries()) {
      if (call.type !== 'tool_call') continue;
      // If two calls have one id, it is not known which one a result answers.
      calls.set(call.id, calls.has(call.id) ? undefined : { call, place: { entry, block, callId: call.id } });
    }
  }
  const results: NewResult[] = [];
  for (let entry = newFrom; entry < history.length; entry++) {
    for (const [block, response] of history[entry]!.blocks.entries()) {
      if (response.type !== 'tool_response' || !isText(response)) continue;
      const call = calls.get(response.callId);
      if (call !== undefined) results.push({ entry, block, response, ...call });
    }
  }
  return { answerFrom, newFrom, results };
}

const isText = (response: ToolResponseBlock): response is NewResult['response'] =>
  typeof response.result === 'string' && !isPruned(response.result);
