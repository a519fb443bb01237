import type { ContentBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';

/** Calls that show another part of the open file, and those that change it, if their result says so. */
const SHOWING = new Set(['goto', 'scroll_up', 'scroll_down']);
const CHANGING = new Set(['edit', 'insert']);
/** What the editor says after a change; it says otherwise of one with an error of syntax, which it does not apply. */
const CHANGED = /^(?:File updated|Text replaced|Text inserted)\b/m;
const NOT_CHANGED = /NOT been applied|NOT applied/i;

const statedIn = (result: string): string | undefined => [...result.matchAll(/\(Open file: (.*)\)/g)].at(-1)?.[1];

/** The open file that the prompt at the end of a result states: an absolute path, or else none; without a prompt, the one `before`. */
export function openFileIn(result: string, before: string | undefined): string | undefined {
  const file = statedIn(result);
  if (file === undefined) return before;
  return file.startsWith('/') ? file : undefined;
}

/** The blocks of an answer: calls that act on the open file name it as `path`, unless `result` does not say that they did. */
export function namingOpenFile(
  blocks: readonly ContentBlock[],
  { file, result }: { file: string | undefined; result: string },
): ContentBlock[] {
  const isChanged = CHANGED.test(result) && !NOT_CHANGED.test(result);
  return blocks.map((block) => {
    if (file === undefined || block.type !== 'tool_call' || !isRecord(block.parameters)) return block;
    const isActing = SHOWING.has(block.name) || (CHANGING.has(block.name) && isChanged);
    return isActing ? { ...block, parameters: { ...block.parameters, path: file } } : block;
  });
}
