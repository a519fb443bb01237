import type { IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Session } from '../../src/formats/contract.ts';
import type { ComparedSession } from '../../src/lab/comparison.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { exchange } from '../strategies/conversation.ts';

const MODEL = 'gpt-4o';

/** A session of Claude Code's tools in `/repo` with one entry per minute. */
export function sessionOf(...parts: readonly (IContent | readonly IContent[])[]): Session {
  const events = parts.flat().map((content, index) => ({
    kind: 'add' as const,
    content: { ...content, metadata: { timestamp: index * 60_000, ...content.metadata, id: `entry-${index}` } },
  }));
  return { format: 'high-density', model: MODEL, workspaceRoot: '/repo', systemText: 'You help.', events, skipped: [] };
}

export const compared = (...parts: readonly (IContent | readonly IContent[])[]): ComparedSession => ({
  session: sessionOf(...parts),
  vocabulary: claudeCode,
  model: MODEL,
  countBlock: blockCounter(MODEL),
});

export const SOURCE = [
  'export function firstOfThem(): number {',
  '  return computeTheFirst();',
  '}',
  'export function secondOfThem(): number {',
  '  return computeTheSecond();',
  '}',
].join('\n');

export const read = (id: string, result = SOURCE, path = '/repo/a.ts'): IContent[] =>
  exchange(id, 'Read', { file_path: path }, { result });

export const edit = (id: string, old_string: string, new_string: string): IContent[] =>
  exchange(id, 'Edit', { file_path: '/repo/a.ts', old_string, new_string }, { result: 'The file was updated.' });
