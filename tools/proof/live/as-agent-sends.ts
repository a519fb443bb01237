import type { IContent } from '../../../src/content/content.ts';

const sent = new WeakMap<IContent, IContent>();

/** An entry as a request has it: around the lines of a file that Claude Code attached, a recording has not the sentence that it sends. */
export function asAgentSends(entry: IContent): IContent {
  const file = entry.metadata?.attachedFile;
  const [block] = entry.blocks;
  if (file === undefined || block?.type !== 'text') return entry;
  const known = sent.get(entry);
  if (known) return known;
  const { attachedFile: _, ...metadata } = entry.metadata!;
  const text = `<system-reminder>\n${sentenceOn(file)}\n${block.text}\n</system-reminder>`;
  const whole = { ...entry, blocks: [{ ...block, text }], metadata };
  sent.set(entry, whole);
  return whole;
}

/** Source: Claude Code 2.1.330. */
const sentenceOn = (file: string): string =>
  `Note: ${file} changed on disk since you last read it. That's usually deliberate, so take it as the current state rather than reverting it. Here are the relevant changes (shown with line numbers):`;
