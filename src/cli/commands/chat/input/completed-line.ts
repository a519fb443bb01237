import type { Conversation } from '../../../../chat/conversation.ts';
import { completions } from '../../../../chat/slash/completion.ts';
import { type EditedLine, edited, sharedStart } from './line-editor.ts';

/** The line completed as far as all candidates agree, and the candidates if there are several; undefined if there are none. */
export async function completedLine(
  line: EditedLine,
  chat: Conversation,
): Promise<{ readonly line: EditedLine; readonly candidates: readonly string[] } | undefined> {
  const typed = line.text.slice(0, line.cursor);
  const { start, candidates } = await completions(typed, chat);
  if (candidates.length === 0) return undefined;
  const word = sharedStart(candidates);
  const isOnly = candidates.length === 1;
  const text = isOnly && !word.endsWith('/') ? `${word} ` : word;
  const replaced = edited(line, { kind: 'replace', start, text });
  return { line: text.length > typed.length - start ? replaced : line, candidates: isOnly ? [] : candidates };
}
