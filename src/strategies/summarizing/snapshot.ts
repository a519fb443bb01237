import type { IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { CompressionStrategyError, EmptySummaryError } from '../../errors.ts';

const OPENING = '<state_snapshot>';
const CLOSING = '</state_snapshot>';
const THOUGHTS = '<scratchpad>';
const THOUGHTS_END = '</scratchpad>';

/** True if an entry is the summary of a compression: by its metadata, or by its text if a format lost the metadata. */
export function isSnapshotEntry({ speaker, blocks, metadata }: IContent): boolean {
  if (metadata?.isSummary === true) return true;
  const [first] = blocks;
  return (
    speaker === 'human' && first?.type === 'text' && first.text.startsWith(OPENING) && first.text.includes(CLOSING)
  );
}

/** The text of a summary entry, without the tags around it. */
export function snapshotText({ blocks }: IContent): string {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return withoutTags(text).trim();
}

function withoutThoughts(answer: string): string {
  let rest = answer;
  let written = '';
  for (;;) {
    const start = rest.indexOf(THOUGHTS);
    const end = start === -1 ? -1 : rest.indexOf(THOUGHTS_END, start);
    if (end === -1) return written + rest;
    written += rest.slice(0, start);
    rest = rest.slice(end + THOUGHTS_END.length);
  }
}

const withoutTags = (text: string): string => text.replaceAll(OPENING, '').replaceAll(CLOSING, '');

/**
 * The content of the snapshot in a model's answer: the text between the tags, or the whole answer if it has no tags,
 * without the thoughts before it and without a nested snapshot.
 * @throws CompressionStrategyError `EMPTY_SUMMARY` when it is empty, `TRUNCATED_SUMMARY` when it has no end.
 */
export function readSnapshot(
  answer: string,
  { strategy, isTruncated }: { strategy: string; isTruncated: boolean },
): string {
  const written = withoutThoughts(answer);
  const start = written.indexOf(OPENING);
  const end = written.lastIndexOf(CLOSING);
  const isWhole = start === -1 ? !isTruncated && !written.includes(THOUGHTS) : end > start;
  if (!isWhole) {
    throw new CompressionStrategyError(
      `Expected a whole summary for "${strategy}", got one that breaks off after ${counted(answer.length, 'character')}. The history is as it was.`,
      'TRUNCATED_SUMMARY',
      { strategy },
    );
  }
  const inside = withoutTags(start === -1 ? written : written.slice(start, end)).trim();
  if (inside.replace(/<\/?[\w-]+>/g, '').trim() === '') throw new EmptySummaryError(strategy);
  return inside;
}

/** A history entry with a snapshot and the notes below it. */
export function snapshotEntry(inside: string, notes: readonly string[]): IContent {
  const text = [`${OPENING}\n${inside}\n${CLOSING}`, ...notes].join('\n\n');
  return { speaker: 'human', blocks: [{ type: 'text', text }], metadata: { isSummary: true, synthetic: true } };
}
