import { mayBeAgentText } from '../../../content/agent-text/agent-text.ts';
import type { FileText } from '../../../content/agent-text/file-text.ts';
import type { ContentBlock, IContent, TextBlock, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { counted } from '../../../content/counted.ts';
import { isMessageId, messageId } from '../repeated-lines/shown-text.ts';
import { hasLoss, leftOutMarker } from '../shapers/markers.ts';

/** Protecting it protects what the agent attached too. */
const READING_TOOL = 'Read';

/** Lines of a file that the agent attached, as if a call had read them. */
export interface AttachedRead {
  readonly call: ToolCallBlock;
  readonly response: ToolResponseBlock & { readonly result: string };
  /** As the agent writes it. */
  readonly file: string;
}

/** What an agent attached at a block, as a read of it; `undefined` for other blocks. The request is unlike that of every other read. */
export function attachedRead(content: IContent, block: number): AttachedRead | undefined {
  const found = fileAt(content, block);
  if (found === undefined) return undefined;
  const raw = content.blocks[block] as TextBlock;
  const id = messageId(content, raw)!;
  const { file, start, end } = found;
  return {
    call: { type: 'tool_call', id, name: READING_TOOL, parameters: { file, id } },
    response: { type: 'tool_response', callId: id, toolName: READING_TOOL, result: raw.text.slice(start, end) },
    file,
  };
}

function fileAt(content: IContent, block: number): FileText | undefined {
  if (content.blocks[block]!.type !== 'text') return undefined;
  const found = mayBeAgentText(content, block);
  return found?.kind === 'file' ? found : undefined;
}

/** The lines that are left of what an agent attached, in a block of this entry that rules may have changed. */
export const resultOf = ({ blocks: _, ...content }: IContent, block: TextBlock): string | undefined =>
  attachedRead({ ...content, blocks: [block] }, 0)?.response.result;

/** True for the call that stands for what an agent attached. */
export const isAttached = ({ id }: ToolCallBlock): boolean => isMessageId(id);

/** True if nothing but a marker is left of such lines. */
export const isLeftOut = ({ result }: AttachedRead['response']): boolean => hasLoss(result) && !result.includes('\n');

/** The block of a result with another text in it; around what an agent attached all else is kept. */
export function withResult(content: IContent, block: number, by: ToolResponseBlock): ContentBlock {
  const found = fileAt(content, block);
  const raw = content.blocks[block]!;
  if (found === undefined || raw.type !== 'text') return by;
  return { ...raw, text: `${raw.text.slice(0, found.start)}${String(by.result)}${raw.text.slice(found.end)}` };
}

/** The block of what an agent attached without its lines; `undefined` if that is hardly shorter. */
export function withoutLines(content: IContent, block: number): ContentBlock | undefined {
  const read = attachedRead(content, block);
  if (read === undefined || isLeftOut(read.response)) return undefined;
  const { result } = read.response;
  const marker = leftOutMarker(`${counted(result.split('\n').length, 'line')} of the file`);
  return 2 * marker.length < result.length
    ? withResult(content, block, { ...read.response, result: marker })
    : undefined;
}
