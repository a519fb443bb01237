import { hashOf } from '../../live/conversation/hash-of.ts';
import type { SentText } from './sent-conversation.ts';

/** Lines at the end of a text among which an addition is looked for; that of Claude Code has three. */
const MAX_LINES = 12;

/**
 * A form as it stands in a file: without what the agent added to the end of the result when it sent it, and adds again in
 * the next request. `recorded` is the text of the result in the file. The hash of what was sent proves where that ends.
 * Claude Code leaves out white space at the end of a result before it adds to it. Source: 2.1.330.
 */
export function withoutAddition(form: SentText, recorded: string): SentText {
  const texts = [recorded, recorded.trimEnd()];
  let from = form.text.length;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    from = form.text.lastIndexOf('\n', from - 1);
    if (from <= 0) return form;
    const addition = form.text.slice(from);
    if (texts.some((text) => hashOf(text + addition) === form.hash)) return { ...form, text: form.text.slice(0, from) };
  }
  return form;
}
