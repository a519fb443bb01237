import type { ContentBlock, IContent, Speaker, Usage } from '../../../content/content.ts';
import { CLEARED_RESULT } from '../../../content/pruned-result.ts';
import { recordedMetadata } from '../../blocks/entry-metadata.ts';
import type { PlacedBlock } from '../../messages/message-part.ts';
import type { TreeLine } from '../tree-line.ts';

/** One block of an entry and the part of its line. */
interface DraftBlock {
  readonly block: ContentBlock;
  readonly line: TreeLine;
  readonly part: PlacedBlock;
}

/** An entry while its lines are read: an answer has several lines. */
export interface Draft {
  /** Unique in the session, except that the cleared form of a result has the id of the whole one. */
  readonly id: string;
  readonly speaker: Speaker;
  readonly lines: TreeLine[];
  readonly choose: (part: PlacedBlock) => boolean;
  readonly isCleared: boolean;
}

const isResponse = ({ block }: PlacedBlock): boolean => block.type === 'tool_response';
const belongsToResult = (part: PlacedBlock): boolean => isResponse(part) || part.path.length > 1;
const always = (): boolean => true;
const isSeparate = (part: PlacedBlock): boolean => !belongsToResult(part);

/** The draft of an answer that starts with this line. */
export function answerDraft(line: TreeLine): Draft {
  return { id: line.uuid, speaker: 'ai', lines: [line], choose: always, isCleared: false };
}

/** The results in a line of a user turn, cleared if one of their calls is; `undefined` if there are none. */
export function resultDraft(line: TreeLine, cleared: ReadonlySet<string>): Draft | undefined {
  const results = line.kind === 'user' ? line.parts.filter(isResponse) : [];
  if (results.length === 0) return undefined;
  const isCleared = results.some(({ block }) => block.type === 'tool_response' && cleared.has(block.callId));
  return { id: line.uuid, speaker: 'tool', lines: [line], choose: belongsToResult, isCleared };
}

/** The content of a user line or a note without results; `undefined` if there is none. */
export function wordsDraft(line: TreeLine): Draft | undefined {
  if (line.kind === 'note') return { id: line.uuid, speaker: 'human', lines: [line], choose: always, isCleared: false };
  if (!line.parts.some(isSeparate)) return undefined;
  const id = line.parts.some(isResponse) ? `${line.uuid}#words` : line.uuid;
  return { id, speaker: 'human', lines: [line], choose: isSeparate, isCleared: false };
}

/** The blocks of a draft with their paths; a cleared result has no media and contains only the marker. */
export function draftBlocks(draft: Draft): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  for (const line of draft.lines) {
    for (const part of line.parts) {
      if (!draft.choose(part)) continue;
      const { block } = part;
      if (!draft.isCleared) blocks.push({ block, line, part });
      else if (block.type === 'tool_response') {
        const text = block.error === undefined ? { result: CLEARED_RESULT } : { result: '', error: CLEARED_RESULT };
        blocks.push({ block: { ...block, ...text }, line, part });
      }
    }
  }
  return blocks;
}

/** The final usage of an answer: the lines of a streamed answer report growing numbers. */
function largestUsage(lines: readonly TreeLine[]): Usage | undefined {
  let most: Usage | undefined;
  for (const { usage } of lines) if (usage && (!most || usage.totalTokens >= most.totalTokens)) most = usage;
  return most;
}

/** The entry of a complete draft. */
export function draftContent(draft: Draft): IContent {
  const [first] = draft.lines;
  const usage = draft.speaker === 'ai' ? largestUsage(draft.lines) : undefined;
  const { timestamp, model, answerId, isSummary, isSynthetic: synthetic, attachedFile } = first ?? {};
  const facts = { id: draft.id, timestamp, model, usage, answerId, isSummary, synthetic, attachedFile };
  const metadata = recordedMetadata(facts);
  return { speaker: draft.speaker, blocks: draftBlocks(draft).map(({ block }) => block), metadata };
}
