import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { JsonPath } from '../../formats/json/json-change.ts';
import type { RequestList } from '../request/request-list.ts';

/** How long a mark keeps the prompt; five minutes where it does not say. */
export type MarkLifetime = '5m' | '1h';

/** Where a Messages request asks for its prompt to be cached until there. */
export interface PromptMark {
  /** Of the mark itself, in the body. */
  readonly path: JsonPath;
  readonly mark: Fields;
}

const MARK = 'cache_control';
/** Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const MOST_MARKS = 4;

export const lifetimeOfMark = ({ mark }: PromptMark): MarkLifetime => (mark['ttl'] === '1h' ? '1h' : '5m');

/** All marks of a request, in the order of its prompt; the one of the whole body, which the provider moves to the end, is the last. */
export function promptMarks(list: RequestList): readonly PromptMark[] {
  if (!list.mentions(MARK, 0)) return [];
  const messages = Array.from({ length: list.length }, (_, at) => at).flatMap((at) =>
    list.elementMentions(at, MARK) ? marksIn(list.element(at)['content'], ['messages', at, 'content']) : [],
  );
  return [
    ...marksIn(list.wholeField('tools'), ['tools']),
    ...marksIn(list.wholeField('system'), ['system']),
    ...messages,
    ...markOf({ [MARK]: list.field(MARK) }, []),
  ];
}

function markOf(block: Fields, path: JsonPath): PromptMark[] {
  const mark = block[MARK];
  return isRecord(mark) ? [{ path: [...path, MARK], mark }] : [];
}

/** A result has blocks of its own. */
const marksIn = (blocks: unknown, path: JsonPath): PromptMark[] =>
  !Array.isArray(blocks)
    ? []
    : blocks.flatMap((block, at) =>
        isRecord(block)
          ? [...marksIn(block['content'], [...path, at, 'content']), ...markOf(block, [...path, at])]
          : [],
      );

/** True for a mark after which the history is read from the cache, whole or in part. */
export const isOfHistory = ({ path: [field] }: PromptMark): boolean => field === 'messages' || field === MARK;

/**
 * The lifetime of a mark at the end of a request; undefined if its history is marked, or it has as many marks as a request may have.
 * Hours stand before minutes in a prompt.
 */
export function missingMark(marks: readonly PromptMark[]): MarkLifetime | undefined {
  if (marks.length >= MOST_MARKS || marks.some(isOfHistory)) return undefined;
  return marks.length > 0 && marks.every((mark) => lifetimeOfMark(mark) === '1h') ? '1h' : '5m';
}

export const markWith = (lifetime: MarkLifetime): Fields => ({
  type: 'ephemeral',
  ...(lifetime === '1h' && { ttl: lifetime }),
});

/** Blocks that may have a mark. Thinking may not, and a text only if it is not empty. Source: as `MOST_MARKS`. */
const MARKED_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'document', 'tool_use', 'tool_result']);

const mayBeMarked = (block: unknown): boolean =>
  isRecord(block) && MARKED_TYPES.has(block['type']) && (block['type'] !== 'text' || isText(block['text']));

const isText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';

/** The place of the last block that may have a mark; of a content that is only a text, with that text. */
export function endOfHistory(
  list: RequestList,
): { readonly element: number; readonly path: JsonPath; readonly text?: string } | undefined {
  for (let element = list.length - 1; element >= 0; element--) {
    const { content } = list.element(element);
    const path = ['messages', element, 'content'];
    if (isText(content)) return { element, path, text: content };
    const at = Array.isArray(content) ? content.findLastIndex(mayBeMarked) : -1;
    if (at !== -1) return { element, path: [...path, at, MARK] };
  }
  return undefined;
}
