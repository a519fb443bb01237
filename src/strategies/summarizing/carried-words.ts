import type { ContentBlock, IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { findInclusions, type Inclusion } from '../../content/inclusions.ts';
import { cutText, oneLine } from '../../content/lines/one-line.ts';

/** Most tokens of user messages kept word for word from the summarised part: this number, or this share of the window if smaller. */
const MAX_CARRIED_TOKENS = 20_000;
const CARRIED_RATIO = 0.15;
/** A shorter part of a message is not worth its tokens. */
const SMALLEST_CUT_TOKENS = 50;
const CUT_ATTEMPTS = 6;
const NEXT_ATTEMPT_RATIO = 0.8;

/** User messages to carry, by index, and facts of those not carried whole. */
export interface CarriedWords {
  readonly entries: ReadonlyMap<number, IContent>;
  /** First words and size in tokens, oldest first. */
  readonly shortened: readonly { readonly opening: string; readonly tokens: number }[];
}

/** Tokens of user messages that are carried, for a window of this size. */
export function carriedTokens(contextLimitTokens: number): number {
  return Math.min(MAX_CARRIED_TOKENS, Math.floor(contextLimitTokens * CARRIED_RATIO));
}

/**
 * The human entries at `indices` that fit into `budgetTokens`, newest first and unchanged. One that does not fit loses its
 * attached files and media, then its middle. Results of calls in them are not carried.
 */
export async function carryWords(
  history: readonly IContent[],
  {
    indices,
    budgetTokens,
    countTokens,
  }: { indices: readonly number[]; budgetTokens: number; countTokens: (content: IContent) => Promise<number> },
): Promise<CarriedWords> {
  const entries = new Map<number, IContent>();
  const shortened: { opening: string; tokens: number }[] = [];
  let leftTokens = budgetTokens;
  for (const index of indices.toReversed()) {
    const words = withoutResponses(history[index]!);
    if (words === undefined) continue;
    const tokens = await countTokens(words);
    const fitting = tokens <= leftTokens ? words : await cutToFit(words, leftTokens, countTokens);
    if (fitting !== words) shortened.unshift({ opening: openingOf(words), tokens });
    if (fitting === undefined) continue;
    entries.set(index, fitting);
    leftTokens -= fitting === words ? tokens : await countTokens(fitting);
  }
  return { entries, shortened };
}

function withoutResponses(content: IContent): IContent | undefined {
  const blocks = content.blocks.filter(({ type }) => type !== 'tool_response' && type !== 'tool_call');
  if (blocks.length === content.blocks.length) return content;
  return blocks.length === 0 ? undefined : { ...content, blocks };
}

function openingOf({ blocks }: IContent): string {
  const text = blocks.find((block) => block.type === 'text');
  return text === undefined ? '(no text)' : oneLine(text.text, 60);
}

async function cutToFit(
  content: IContent,
  limitTokens: number,
  countTokens: (content: IContent) => Promise<number>,
): Promise<IContent | undefined> {
  const words = { ...content, blocks: [{ type: 'text', text: ownWords(content) }] } as const satisfies IContent;
  if (words.blocks[0].text.trim() === '') return undefined;
  const tokens = await countTokens(words);
  if (tokens <= limitTokens) return words;
  if (limitTokens < SMALLEST_CUT_TOKENS) return undefined;
  const { text } = words.blocks[0];
  let keepChars = Math.floor((text.length * limitTokens) / tokens);
  for (let attempt = 0; attempt < CUT_ATTEMPTS; attempt++) {
    keepChars = Math.floor(keepChars * NEXT_ATTEMPT_RATIO);
    const cut = {
      ...content,
      blocks: [{ type: 'text', text: cutMiddle(text, keepChars) }],
    } as const satisfies IContent;
    if ((await countTokens(cut)) <= limitTokens) return cut;
  }
  return undefined;
}

function cutMiddle(text: string, keepChars: number): string {
  const head = cutText(text, Math.ceil(keepChars / 2));
  const tail = text.slice(text.length - Math.floor(keepChars / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${counted(text.length - head.length - tail.length, 'character')} of this message left out …]\n${tail}`;
}

/** The text that a person typed: attached files of an `@path` are only named. */
function ownWords(content: IContent): string {
  const inclusions = findInclusions(content);
  const parts = content.blocks.map((block, at) => wordsOfBlock(block, at, inclusions));
  return parts.filter((part) => part !== '').join('\n');
}

function wordsOfBlock(block: ContentBlock, at: number, inclusions: readonly Inclusion[]): string {
  if (block.type === 'media') return `[${block.mimeType} left out]`;
  if (block.type === 'code') return block.code;
  if (block.type !== 'text') return '';
  let words = '';
  let from = 0;
  for (const { path, start, end } of inclusions) {
    if (at < start.block || at > end.block) continue;
    const opensHere = start.block === at;
    if (opensHere) words += `${block.text.slice(from, start.offset)}[@${path}: its content is left out]`;
    from = end.block === at ? end.offset : block.text.length;
  }
  return words + block.text.slice(from);
}
