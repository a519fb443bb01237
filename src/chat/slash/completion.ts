import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';
import type { Conversation } from '../conversation.ts';
import { SLASH_COMMANDS } from './index.ts';

/** Candidates for the last word of a line. */
interface Completion {
  /** The start of that word, in UTF-16 units. */
  readonly start: number;
  /** Whole words. */
  readonly candidates: readonly string[];
}

const MAX_CANDIDATES = 50;

function filesLike(word: string, root: string): string[] {
  const before = word.slice(1, word.lastIndexOf('/') + 1);
  const folder = path.resolve(root, before);
  if (folder !== root && !folder.startsWith(root + path.sep)) return [];
  return readOr(() => readdirSync(folder, { withFileTypes: true }), [])
    .filter(({ name }) => !name.startsWith('.') || word.slice(1 + before.length).startsWith('.'))
    .map((entry) => `@${before}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort();
}

/** Completes the last word of `line`: commands, their keys and values, and files after `@`. */
export async function completions(line: string, chat: Conversation): Promise<Completion> {
  const start = Math.max(line.lastIndexOf(' '), line.lastIndexOf('\n')) + 1;
  const word = line.slice(start);
  const fitting = (all: readonly string[]): Completion => ({
    start,
    candidates: all.filter((one) => one.startsWith(word) && one !== word).slice(0, MAX_CANDIDATES),
  });
  if (word.startsWith('@')) return fitting(filesLike(word, chat.workspace.root));
  if (!line.startsWith('/')) return { start, candidates: [] };
  if (start === 0) return fitting(SLASH_COMMANDS.map(({ name }) => `/${name}`));
  const [name = '', ...words] = line.slice(1).split(/\s+/);
  const command = SLASH_COMMANDS.find((known) => known.name === name);
  return fitting((await command?.complete?.(words, chat)) ?? []);
}
