import type { ContentBlock, IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import type { Session, SessionFormat } from '../../src/formats/contract.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';

function say(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_call') return `${block.name} ${JSON.stringify(block.parameters)}`;
  if (block.type !== 'tool_response') return block.type;
  return `${block.error === undefined ? '' : `(${block.error}) `}${String(block.result)}`;
}

/** Entries as a person reads them, one line each. */
export const words = (entries: readonly IContent[]): string[] =>
  entries.map(({ speaker, blocks }) => `${speaker} ${blocks.map(say).join(' + ')}`);

/** Events as a person reads them: a line for what was added, a list for what replaced everything. */
export const steps = (events: readonly SessionEvent[]): (string | string[])[] =>
  events.map((step) => (step.kind === 'add' ? (words([step.content])[0] ?? '') : words(step.contents)));

/** The session in a text. */
export const session = (format: SessionFormat, text: string | undefined): Session =>
  format.read(linesOfText(text ?? ''));
