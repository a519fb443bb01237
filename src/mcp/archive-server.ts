import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { Redactor } from '../content/secrets/redact.ts';
import type { BlockArchive } from '../disk/block-archive.ts';
import { reasonOf } from '../disk/reason-of.ts';
import { textOfEntries } from '../replay/block-text.ts';
import { archiveSize, archiveSizeText, SHORT_HASH } from '../report/archived-list.ts';
import { counted } from '../report/figures.ts';
import { LineTransport } from './line-transport.ts';
import { searchArchive } from './search-archive.ts';

interface ArchiveServerOptions {
  readonly archive: BlockArchive;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** With blanks around them; what is longer would be said back to the model in an error. */
const MAX_HASH_CHARACTERS = 100;
const MAX_RANGE_CHARACTERS = 60;

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

const INSTRUCTIONS =
  'density removes text from this conversation that is stale or repeated, and keeps it on this computer. A marker in its place, `[density: …]` or `⟦density: …⟧`, names a hash. Bring text back only when you need it and do not see it: what a marker calls repeated stands above, and a file may have changed since, so read the file for its present state.';

/** An answer that is longer fills a model's context, and agents cut it themselves. */
const MAX_CHARACTERS = 40_000;

/** Lines of a text, numbered from one. */
interface LineRange {
  readonly text: string;
  readonly first: number;
  /** The last line that is in `text`. */
  readonly last: number;
  readonly allLines: number;
  /** The length of the last line, if only its start fits. */
  readonly cutLineCharacters?: number;
}

/**
 * The asked lines of a text, as many as fit.
 * @param asked `12`, `12-40`, or `12-` to the end; undefined: all lines
 * @returns undefined if `asked` is no range of this text
 */
export function lineRange(text: string, asked: string | undefined): LineRange | undefined {
  const lines = text.split('\n');
  const [, start = '', dash, end = ''] = /^(\d+)(?:\s*(-)\s*(\d*))?$/.exec((asked ?? '1-').trim()) ?? [];
  const first = Number(start);
  const asLast = dash === undefined ? start : end || lines.length;
  const wanted = Math.min(Number(asLast), lines.length);
  if (first < 1 || first > wanted) return undefined;
  let last = first - 1;
  for (let length = 0; last < wanted; last++) {
    length += lines[last]!.length + 1;
    if (length > MAX_CHARACTERS + 1) break;
  }
  const facts = { first, allLines: lines.length };
  const long = lines[first - 1]!;
  if (last < first)
    return { ...facts, text: long.slice(0, MAX_CHARACTERS), last: first, cutLineCharacters: long.length };
  return { ...facts, text: lines.slice(first - 1, last).join('\n'), last };
}

/** What follows `lines` of a text. */
function restOf({ first, last, allLines, cutLineCharacters }: LineRange): string {
  if (cutLineCharacters !== undefined)
    return `; line ${first} has ${counted(cutLineCharacters, 'character')} and was cut`;
  return last < allLines ? `; for the rest: lines "${last + 1}-"` : '';
}

async function recalled(archive: BlockArchive, wanted: string, asked: string | undefined): Promise<string> {
  const { hash, block } = await archive.find(wanted);
  const redactor = new Redactor();
  const text = textOfEntries([{ speaker: 'tool', blocks: [redactor.value(block)] }]);
  const range = lineRange(text, asked);
  if (range === undefined) {
    const lines = counted(text.split('\n').length, 'line');
    throw new Error(`Expected lines such as "12" or "12-40" of a text of ${lines}, got "${asked}".`);
  }
  const hidden =
    redactor.hidden === 0 ? '' : `; ${counted(redactor.hidden, 'secret')} hidden, so this is not word for word`;
  const { first, last, allLines } = range;
  return `[density ${hash.slice(0, SHORT_HASH)}, lines ${first}-${last} of ${allLines}${restOf(range)}${hidden}]\n${range.text}`;
}

async function searched(archive: BlockArchive, query: string | undefined, path: string | undefined, limit: number) {
  const { found, searched: read, all } = await searchArchive(archive, { query, path, limit });
  const lines = found.flatMap(({ hash, keptAt, title, lines: matches }) => [
    `${hash}  ${new Date(keptAt).toISOString().slice(0, 16).replace('T', ' ')}  ${title}`,
    ...matches.map((line) => `  ${line}`),
  ]);
  const heading = `${counted(found.length, 'removed text')} found in the newest ${read} of ${counted(all, 'block')}`;
  return [found.length === limit ? `${heading}; there may be more` : heading, ...lines].join('\n');
}

/** A text for the model; what goes wrong is said to it, and the server goes on. */
async function answer(text: Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await text }] };
  } catch (error) {
    return { content: [{ type: 'text' as const, text: reasonOf(error) }], isError: true };
  }
}

function archiveServer({ archive, version }: ArchiveServerOptions): McpServer {
  const server = new McpServer({ name: 'density', version }, { instructions: INSTRUCTIONS });
  server.registerTool(
    'recall',
    {
      title: 'Bring back removed text',
      description:
        'Returns text that density removed from this conversation, by the hash in its marker. Do not call it for text that you still see, nor for the present state of a file: read the file.',
      inputSchema: z.object({
        hash: z.string().max(MAX_HASH_CHARACTERS).describe('the hash in a marker, or at least its first four digits'),
        lines: z.string().max(MAX_RANGE_CHARACTERS).optional().describe('"40", "40-80" or "40-"; all lines if absent'),
      }),
      annotations: READ_ONLY,
    },
    ({ hash, lines }) => answer(recalled(archive, hash.trim(), lines)),
  );
  server.registerTool(
    'search_removed',
    {
      title: 'Search removed text',
      description:
        'Finds removed text by words in it, or by the path or command that it is about, newest first; without either it lists the newest. Returns hashes for recall. It also contains text of other sessions of this user.',
      inputSchema: z.object({
        query: z.string().min(1).optional().describe('text that a line contains, in any case'),
        path: z.string().min(1).optional().describe('part of a path or command'),
        limit: z.number().int().min(1).max(50).default(10),
      }),
      annotations: READ_ONLY,
    },
    ({ query, path, limit }) => answer(searched(archive, query, path, limit)),
  );
  server.registerTool(
    'archive_status',
    {
      title: 'Status of the archive',
      description: 'Says how much removed text is kept, and where.',
      inputSchema: z.object({}),
      annotations: READ_ONLY,
    },
    () => answer(archive.list().then((blocks) => `${archiveSizeText(archiveSize(blocks))}, in ${archive.folder}`)),
  );
  return server;
}

/** After the start, which people feel. */
const TIDY_MS = 10_000;

/** Serves the archive by the Model Context Protocol, until the input ends. Clients of its versions 2024-10-07 to 2026-07-28 are served. */
export function serveArchive(options: ArchiveServerOptions): Promise<void> {
  return new Promise((resolve) => {
    // The hooks of the plugin only add to the archive.
    const tidying = setTimeout(() => void options.archive.makeRoom().catch(() => {}), TIDY_MS);
    const transport = new LineTransport(options.input, options.output);
    serveStdio(() => archiveServer(options), { transport });
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      clearTimeout(tidying);
      resolve();
    };
  });
}
