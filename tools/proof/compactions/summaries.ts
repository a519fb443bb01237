import type { IContent } from '../../../src/content/content.ts';

/** How Claude Code marks a request for a summary, and begins the text that it goes on from. Source: docs/live.md */
export const COMPACTION = { 'x-claude-code-request-class': 'compaction' };
const OPENING = 'This session is being continued from a previous conversation that ran out of context.';

/** What the agent asks, and what the model answers. */
export const PROMPT: readonly IContent[] = said('Write a summary of this conversation, from which you can go on.');
export const SUMMARY = 'The agent read files, and changed them as the user asked. '.repeat(50);

/** The text from which the agent goes on, in which the model quotes a marker that it saw. */
export const continuation = (marker: string): readonly IContent[] => said(`${OPENING}\n\n${SUMMARY}${marker}`);

function said(text: string): readonly IContent[] {
  return [{ speaker: 'human', blocks: [{ type: 'text', text }] }];
}

/** Our markers of results and of lines. Each marker is a line. */
const MARKER = /^(?:\[density: .+\]|⟦density: \d+ lines.* above by .+⟧)$/m;

/** The first marker of ours in these texts. */
export function markerIn(texts: Iterable<string>): string | undefined {
  for (const text of texts) {
    const [marker] = MARKER.exec(text) ?? [];
    if (marker !== undefined) return marker;
  }
  return undefined;
}
