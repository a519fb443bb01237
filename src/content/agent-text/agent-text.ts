import type { IContent } from '../content.ts';
import { type FileText, fileText } from './file-text.ts';
import { type ReportText, reportText } from './report-text.ts';
import { type SkillText, skillText } from './skill-text.ts';

/** A text in a user turn that an agent wrote, not a person. Offsets are UTF-16 units in the text of its block. */
export type AgentText = ReportText | SkillText | FileText;

/**
 * What the agent wrote at a block of a user turn; `undefined` for the words of a person, a summary, and all that is not surely the agent's: a
 * text counts as a whole, where that agent puts it, or where its format says what it is (`attachedFile`).
 */
export function agentTextAt(history: readonly IContent[], entry: number, block: number): AgentText | undefined {
  const text = mayBeAgentText(history[entry]!, block);
  const isThere = text?.kind !== 'skill' || text.after === undefined || follows(text.after, history, { entry, block });
  return isThere ? text : undefined;
}

/** The same as far as the text and the fields of its entry say it: what stands before it may still say that it is the words of a person. */
export function mayBeAgentText({ speaker, metadata, blocks }: IContent, block: number): AgentText | undefined {
  const text = blocks[block]!;
  if (speaker !== 'human' || text.type !== 'text' || metadata?.isSummary === true) return undefined;
  const file = metadata?.attachedFile;
  if (file !== undefined) return { kind: 'file', start: 0, end: text.text.length, lineEnd: '\n', file };
  const isAgents = metadata?.isSystemMessage === true;
  return reportText(text.text, isAgents) ?? skillText(text.text) ?? fileText(text.text, isAgents);
}

/** The name of such a text, for a person. */
export function agentTextName(text: AgentText): string {
  switch (text.kind) {
    case 'report':
      return 'report of a sub-agent';
    case 'skill':
      return `skill ${text.folder.split(/[\\/]/).findLast(Boolean)}`;
    case 'file':
      return `attached file ${text.file}`;
  }
}

/** True if more results of a tool than skills stand between the last answer and a block. */
function follows(
  tool: string,
  history: readonly IContent[],
  { entry, block }: { entry: number; block: number },
): boolean {
  let open = 0;
  for (let at = entry; at >= 0 && history[at]!.speaker !== 'ai'; at--) {
    for (const [place, one] of history[at]!.blocks.entries()) {
      if (at === entry && place >= block) break;
      if (one.type === 'tool_response' && one.toolName === tool) open++;
      if (one.type === 'text' && mayBeAgentText(history[at]!, place)?.kind === 'skill') open--;
    }
  }
  return open > 0;
}
