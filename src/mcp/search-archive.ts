import { oneLine } from '../content/lines/one-line.ts';
import { Redactor } from '../content/secrets/redact.ts';
import type { BlockArchive, ReadBlock } from '../disk/block-archive.ts';
import { textOfEntries } from '../replay/block-text.ts';
import { ArchivedCalls } from '../report/archived-calls.ts';
import { SHORT_HASH, TITLE_CHARS, titleOf } from '../report/archived-list.ts';

/** The newest blocks that a search reads, in steps. */
const MAX_BLOCKS = 4_000;
const STEP_BLOCKS = 200;
const MAX_LINES_OF_BLOCK = 5;
const LINE_CHARACTERS = 200;

interface ArchiveSearch {
  /** Text of a line; in any case. */
  readonly query?: string | undefined;
  /** Part of what a block is about: of a path or command. */
  readonly path?: string | undefined;
  readonly limit: number;
}

interface FoundBlock {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly keptAt: number;
  readonly title: string;
  /** `12: the line`, the first few that contain the query. */
  readonly lines: readonly string[];
}

interface ArchiveFinds {
  readonly found: readonly FoundBlock[];
  readonly searched: number;
  readonly all: number;
}

const contains = (text: string, part: string | undefined): boolean =>
  part === undefined || text.toLowerCase().includes(part.toLowerCase());

/** The matching lines of a block, without secrets; undefined if the block does not match. */
function matchOf(read: ReadBlock, calls: ArchivedCalls, { query, path }: ArchiveSearch) {
  const title = titleOf(read, calls);
  if (!contains(title, path)) return undefined;
  const redactor = new Redactor();
  const lines: string[] = [];
  if (query !== undefined) {
    const text = textOfEntries([{ speaker: 'tool', blocks: [read.block] }]);
    if (!contains(text, query)) return undefined;
    for (const [at, line] of redactor.text(text).split('\n').entries())
      if (lines.length < MAX_LINES_OF_BLOCK && contains(line, query))
        lines.push(`${at + 1}: ${redactor.label(oneLine(line, LINE_CHARACTERS))}`);
    if (lines.length === 0) return undefined;
  }
  return { title: redactor.label(oneLine(title, TITLE_CHARS)), lines };
}

/** The newest archived results that match. A call is what its result is about, and no find of its own. */
export async function searchArchive(archive: BlockArchive, search: ArchiveSearch): Promise<ArchiveFinds> {
  const blocks = await archive.list();
  const found: FoundBlock[] = [];
  const calls = new ArchivedCalls();
  let searched = 0;
  while (searched < Math.min(blocks.length, MAX_BLOCKS) && found.length < search.limit) {
    const read = await archive.contents(blocks.slice(searched, searched + STEP_BLOCKS));
    calls.add(read);
    for (const one of read) {
      const match = one.block.type === 'tool_call' ? undefined : matchOf(one, calls, search);
      if (match !== undefined && found.length < search.limit)
        found.push({ hash: one.hash.slice(0, SHORT_HASH), keptAt: one.keptAt, ...match });
    }
    searched += STEP_BLOCKS;
  }
  return { found, searched: Math.min(searched, blocks.length), all: blocks.length };
}
