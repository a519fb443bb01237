import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError, EmptySummaryError } from '../../errors.ts';

const OPENING = '<state_snapshot>';
const CLOSING = '</state_snapshot>';

/** Whether an entry is the summary that a compression left: by its mark, or by its words where a format lost the mark. */
export function isSnapshotEntry({ speaker, blocks, metadata }: IContent): boolean {
  if (metadata?.isSummary === true) return true;
  const [first] = blocks;
  return (
    speaker === 'human' && first?.type === 'text' && first.text.startsWith(OPENING) && first.text.includes(CLOSING)
  );
}

/** What an entry that is a summary says, without the tags around it. */
export function snapshotText({ blocks }: IContent): string {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return withoutTags(text).trim();
}

const withoutTags = (text: string): string => text.replaceAll(OPENING, '').replaceAll(CLOSING, '');

/**
 * The inside of the snapshot that a model wrote: what stands between the tags, all of it where it used none, without
 * what it thought before and without a snapshot inside the snapshot.
 * @throws CompressionStrategyError `EMPTY_SUMMARY` when it says nothing, `TRUNCATED_SUMMARY` when it has no end.
 */
export function readSnapshot(
  answer: string,
  { strategy, isTruncated }: { strategy: string; isTruncated: boolean },
): string {
  const written = answer.replace(/<scratchpad>[\s\S]*?<\/scratchpad>/g, '');
  const start = written.indexOf(OPENING);
  const end = written.lastIndexOf(CLOSING);
  const isWhole = start === -1 ? !isTruncated && !written.includes('<scratchpad>') : end > start;
  if (!isWhole) {
    throw new CompressionStrategyError(
      `Expected a whole summary for "${strategy}", got one that breaks off after ${answer.length} characters. The history is as it was.`,
      'TRUNCATED_SUMMARY',
      { strategy },
    );
  }
  const inside = withoutTags(start === -1 ? written : written.slice(start, end)).trim();
  if (inside.replace(/<\/?[\w-]+>/g, '').trim() === '') throw new EmptySummaryError(strategy);
  return inside;
}

/** A snapshot and the notes below it as an entry of a history. */
export function snapshotEntry(inside: string, notes: readonly string[]): IContent {
  const text = [`${OPENING}\n${inside}\n${CLOSING}`, ...notes].join('\n\n');
  return { speaker: 'human', blocks: [{ type: 'text', text }], metadata: { isSummary: true, synthetic: true } };
}
