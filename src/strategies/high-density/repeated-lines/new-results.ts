import type { IContent, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import { type BlockPlace, type CallPlace, compareBlocks } from '../../reasons/call-place.ts';
import { countEdits } from '../../reasons/edit-counts.ts';
import { noteOriginal } from './original-result.ts';

/** A result that was not sent yet, and its call in the last answer of the model. */
export interface NewResult extends BlockPlace {
  readonly response: ToolResponseBlock & { readonly result: string };
  readonly call: ToolCallBlock;
  readonly place: CallPlace;
}

/** The end of a history: its last answer from `answerFrom` on, and what came after it, from `newFrom` on. */
interface NewPart {
  readonly answerFrom: number;
  readonly newFrom: number;
  readonly results: readonly NewResult[];
}

/** The results of a history that came after the last answer of the model. Linear in them and in that answer. */
export function newPart(history: readonly IContent[]): NewPart {
  const newFrom = history.findLastIndex(({ speaker }) => speaker === 'ai') + 1;
  let answerFrom = newFrom;
  while (history[answerFrom - 1]?.speaker === 'ai') answerFrom--;
  const calls = new Map<string, Pick<NewResult, 'call' | 'place'>>();
  for (let entry = answerFrom; entry < newFrom; entry++) {
    for (const [block, call] of history[entry]!.blocks.entries()) {
      if (call.type !== 'tool_call') continue;
      calls.set(call.id, { call, place: { entry, block, callId: call.id } });
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

/** How a result that was not sent yet is sent. */
export interface NewForm {
  readonly result: NewResult;
  readonly text: string;
}

/** A history with these forms. */
export function withForms(history: readonly IContent[], forms: readonly NewForm[]): IContent[] {
  const shaped = [...history];
  for (const { result, text } of forms) {
    const { entry, block, response } = result;
    const form = { ...response, result: text };
    noteOriginal(form, response);
    shaped[entry] = { ...shaped[entry]!, blocks: shaped[entry]!.blocks.with(block, form) };
  }
  return shaped;
}

/** What the rules found in a history with forms, together with the forms, which come first. */
export function withEdits(
  found: DensityResult,
  { shaped, edits: own }: { readonly shaped: readonly IContent[]; readonly edits: readonly DensityEdit[] },
): DensityResult {
  const replacements = new Map<number, IContent>();
  const removed = new Set(found.removals);
  for (const { entry } of own) if (!removed.has(entry)) replacements.set(entry, shaped[entry]!);
  for (const [entry, content] of found.replacements) replacements.set(entry, content);
  const edits = [...own, ...(found.edits ?? [])].sort(compareBlocks);
  return { removals: found.removals, replacements, metadata: countEdits(edits), edits };
}
