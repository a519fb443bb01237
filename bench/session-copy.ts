import type { ContentBlock, IContent } from '../src/content/content.ts';
import type { Random } from './random.ts';

/** Tools of one vocabulary that do what those of the other do, with equal parameters where it matters: Claude Code's and ours. */
export const CLAUDE_CODE_NAMES: Readonly<Record<string, string>> = {
  read_file: 'Read',
  write_file: 'Write',
  replace: 'Edit',
  search_file_content: 'Grep',
  glob: 'Glob',
  list_directory: 'LS',
  run_shell_command: 'Bash',
};

export const OUR_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CLAUDE_CODE_NAMES).map(([ours, theirs]) => [theirs, ours]),
);

export interface CopyOptions {
  readonly random: Random;
  /** Where the copy pretends to have been recorded. */
  readonly from: string | undefined;
  readonly to: string;
  readonly names: Readonly<Record<string, string>>;
  /** Milliseconds since 1970 of the first entry; each entry is a second later. */
  readonly startedAt: number;
}

/** One line in twenty. */
const MUTATED_RATIO = 0.05;

/** About one line in twenty with a word that was never there before, so that no text repeats. */
function mutated(text: string, random: Random): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n').map((line) => {
    if (random.next() >= MUTATED_RATIO) return line;
    const at = line.indexOf(' ', random.integer(Math.max(1, line.length)));
    const word = random.hex(4 + random.integer(8));
    return at === -1 ? `${line} ${word}` : `${line.slice(0, at)} ${word}${line.slice(at)}`;
  });
  return lines.join('\n');
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

/**
 * A session as if it had been recorded again elsewhere: fresh ids, other paths, later times, about a twentieth of its
 * lines changed. Calls and results are still paired. Signatures and reports of a provider are left out.
 */
export function copiedEntries(entries: readonly IContent[], options: CopyOptions): IContent[] {
  const { random, from, to, names, startedAt } = options;
  const ids = new Map<string, string>();
  const freshId = (id: string): string => {
    const known = ids.get(id) ?? `call_${random.hex(24)}`;
    ids.set(id, known);
    return known;
  };
  const moved = (text: string): string => (from === undefined || from.length < 2 ? text : text.replaceAll(from, to));
  const changed = (text: string): string => mutated(moved(text), random);
  const named = (name: string): string => names[name] ?? name;
  const copied = (block: ContentBlock): ContentBlock[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: changed(block.text) }];
      case 'code':
        return [{ ...block, code: changed(block.code) }];
      case 'media':
        return [block];
      case 'thinking':
        return [];
      case 'tool_call': {
        const parameters = mapStrings(block.parameters, moved);
        return [{ type: 'tool_call', id: freshId(block.id), name: named(block.name), parameters }];
      }
      case 'tool_response': {
        const { error } = block;
        const result = mapStrings(block.result, changed);
        const common = {
          type: 'tool_response',
          callId: freshId(block.callId),
          toolName: named(block.toolName),
        } as const;
        return [{ ...common, result, ...(error !== undefined && { error: moved(error) }) }];
      }
    }
  };
  return entries.flatMap((entry, index) => {
    const blocks = entry.blocks.flatMap(copied);
    if (blocks.length === 0) return [];
    const metadata = { id: `entry-${random.hex(16)}`, timestamp: startedAt + index * 1000 };
    return [{ speaker: entry.speaker, blocks, metadata }];
  });
}
