import path from 'node:path';
import type { ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { RECOMMENDED } from '../settings/recommended.ts';
import { MIN_RUN_CHARACTERS, textLines } from '../strategies/high-density/repeated-lines/text-lines.ts';
import { hasMarker } from '../strategies/high-density/shapers/markers.ts';
import { type HookEvent, mayLackTools } from './hook-event.ts';
import type { NewResult } from './new-form.ts';
import { likelyCalls, noteLines } from './noted-lines.ts';
import { type SeenCall, seenCalls } from './seen-calls.ts';
import { type ShownResult, shownResult } from './shown-result.ts';

/** A shorter text has no form. */
const MIN_CHARACTERS = 60;
/** Shorter runs of lines stay. */
const MIN_LINES = RECOMMENDED['compression.density.repeatedLines']!;

/** What prints matches, paths or reports: it may have a form of its own. */
const HAS_FORMS = /^(?:Bash|PowerShell|Grep|Glob)$/;
const WRITES = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;
/** What density itself gave back is not taken away again. */
const IS_OURS = /^mcp__.*density/;

interface NewResultOptions {
  /** The folder of the archive. */
  readonly archive: string;
  /** Where the lines of each conversation are noted. */
  readonly folder: string;
}

/** The file in which the lines of the event's conversation are noted. */
export const linesFile = ({ session, agentId }: HookEvent, folder: string): string =>
  path.join(folder, `${agentId === undefined ? session : `${session}.${agentId}`}.lines`);

/**
 * What a hook prints after a call whose result has a shorter form. Undefined: the result stays. What a marker stands for is in the
 * archive before this returns. @throws the system's error; then the result stays.
 */
export async function newResult(event: HookEvent, { archive, folder }: NewResultOptions): Promise<object | undefined> {
  const { tool_name: name, tool_input: parameters, tool_use_id: id } = event.fields;
  if (typeof name !== 'string' || typeof id !== 'string' || IS_OURS.test(name)) return undefined;
  const call: ToolCallBlock = { type: 'tool_call', id, name, parameters };
  const file = linesFile(event, folder);
  if (WRITES.test(name)) {
    const { editText } = await import('../content/files/edit-text.ts');
    await noteLines(
      file,
      call,
      textLines(call, () => editText(call)?.after ?? []),
    );
    return undefined;
  }
  const shown = shownResult(event);
  if (shown === undefined || shown.text.length < MIN_CHARACTERS) return undefined;
  const response: ToolResponseBlock = { type: 'tool_response', callId: id, toolName: name, result: shown.text };
  const lines = textLines(response, () => [shown.text]);
  const isLong = shown.text.length >= MIN_RUN_CHARACTERS;
  const earlier = isLong ? seenCalls(event, likelyCalls(file, { call, own: lines[0]!, leastLines: MIN_LINES })) : [];
  const form =
    earlier.length > 0 || (!event.isOfCodex && HAS_FORMS.test(name))
      ? await formOf({ call, response, earlier, isOfCodex: event.isOfCodex }, { event, shown, archive })
      : undefined;
  if (isLong) await noteLines(file, call, form === undefined ? lines : textLines({}, () => [form]));
  return form === undefined ? undefined : shown.replacedBy(form);
}

/** The form of a result as its tool can show it; `undefined`: it has none. */
async function formOf(
  result: NewResult,
  { event, shown, archive }: { readonly event: HookEvent; readonly shown: ShownResult; readonly archive: string },
): Promise<string | undefined> {
  const { newForm } = await import('./new-form.ts');
  const best = newForm(result, () => allCalls(event));
  const form = best === undefined ? undefined : (shown.fitted?.(best) ?? best);
  if (form === undefined || form === shown.text) return undefined;
  if (!hasMarker(form)) return form;
  const { archivedForm } = await import('./archived-form.ts');
  return archivedForm(form, { ...result, folder: archive, hasRecall: !mayLackTools(event) });
}

function allCalls(event: HookEvent): readonly SeenCall[] {
  if (event.transcript === '') throw new Error('Expected a transcript, to know which files the agent wrote.');
  return seenCalls(event, 'all');
}
