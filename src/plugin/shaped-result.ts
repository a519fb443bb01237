import type { ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { type BlockArchive, blockHash } from '../disk/block-archive.ts';
import { hasLeftOut, withWayBack } from '../strategies/high-density/shapers/markers.ts';
import type { HookEvent } from './hook-event.ts';
import { type SeenCall, seenCalls } from './seen-calls.ts';
import { shownResult } from './shown-result.ts';

/** A shorter text has no form. */
const LEAST_CHARACTERS = 60;
const HASH_CHARACTERS = 12;
/** A read has no form, so that its hook loads less. */
const FORMLESS = 'Read';

/**
 * What a hook of Claude Code prints after a call whose result has a shorter form. Undefined: the result stays. What a marker leaves out is
 * in the archive before this returns. @throws the system's error; then the result stays.
 */
export async function shapedResult(event: HookEvent, archive: BlockArchive): Promise<object | undefined> {
  const { tool_name: name, tool_input: parameters, tool_use_id: id } = event.fields;
  const shown = event.isOfCodex || event.fields['tool_name'] === FORMLESS ? undefined : shownResult(event);
  if (shown === undefined || shown.text.length < LEAST_CHARACTERS) return undefined;
  if (typeof name !== 'string' || typeof id !== 'string') return undefined;
  const call: ToolCallBlock = { type: 'tool_call', id, name, parameters };
  const response: ToolResponseBlock = { type: 'tool_response', callId: id, toolName: name, result: shown.text };
  const { newForm } = await import('./new-form.ts');
  const form = newForm({ call, response }, () => allCalls(event));
  if (form === undefined) return undefined;
  if (!hasLeftOut(form)) return shown.replacedBy(form);
  await archive.keep([call, response]);
  return shown.replacedBy(withWayBack(form, `recall ${blockHash(response).slice(0, HASH_CHARACTERS)}`));
}

function allCalls(event: HookEvent): readonly SeenCall[] {
  if (event.transcript === '') throw new Error('Expected a transcript, to know which files the agent wrote.');
  return seenCalls(event, 'all');
}
