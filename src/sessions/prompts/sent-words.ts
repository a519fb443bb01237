import { fileText } from '../../content/agent-text/file-text.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import { textId } from '../../live/request/live-text.ts';
import type { SentConversation, SentText } from './sent-conversation.ts';

/** What stands around the text of a block in requests. */
interface Around {
  readonly before: string;
  readonly after: string;
}

const NOTHING: Around = { before: '', after: '' };

/** The texts that were sent in place of what the agent wrote in user turns. */
export function wordsFor(
  entries: readonly IContent[],
  conversations: readonly SentConversation[],
): ReadonlyMap<ContentBlock, SentText> {
  const sent = new Map(conversations.flatMap(({ words }) => [...words]));
  const found = new Map<ContentBlock, SentText>();
  if (sent.size === 0) return found;
  const aroundFile = aroundFiles(sent.values());
  const counts = new Map<string, number>();
  for (const { blocks, metadata } of new Set(entries)) {
    const file = metadata?.attachedFile;
    const ways = file === undefined ? [NOTHING] : (aroundFile.get(file) ?? []);
    for (const block of blocks) {
      if (block.type !== 'text' || found.has(block)) continue;
      const texts = new Map(ways.map((around) => [`${around.before}${block.text}${around.after}`, around]));
      for (const [text, { before, after }] of texts) {
        const id = textId(text);
        const count = counts.get(id) ?? 0;
        counts.set(id, count + 1);
        const form = sent.get(textId(text, count));
        if (form) found.set(block, { ...form, text: form.text.slice(before.length, form.text.length - after.length) });
      }
    }
  }
  return found;
}

/** By file, what agents send around the lines of a file that they attach, and do not record. */
function aroundFiles(forms: Iterable<SentText>): ReadonlyMap<string, readonly Around[]> {
  const all = [...forms].flatMap(({ text }) => {
    const lines = fileText(text, false);
    return lines ? { file: lines.file, before: text.slice(0, lines.start), after: text.slice(lines.end) } : [];
  });
  return groupBy(all, ({ file }) => file);
}
