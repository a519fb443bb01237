import type { ContentBlock } from '../../../content/content.ts';
import { Redactor } from '../../../content/secrets/redact.ts';
import { textOfEntries } from '../../../replay/block-text.ts';

const MAX_CHARACTERS = 400_000;

/** A removed text without secrets, cut where it is too long for a page. */
export function pageText(block: ContentBlock): string {
  const text = textOfEntries([{ speaker: 'tool', blocks: [new Redactor().value(block)] }]);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n…` : text;
}
