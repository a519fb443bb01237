import type { ContentBlock, ToolCallBlock } from '../content/content.ts';
import { keyParameter } from '../content/files/key-parameter.ts';
import { oneLine } from '../content/lines/one-line.ts';
import { llxprt } from '../content/vocabularies/llxprt.ts';
import type { ArchivedBlock, BlockArchive, ReadBlock } from '../disk/block-archive.ts';
import { CHARACTERS_PER_TOKEN, estimatedTokens } from '../tokens/entries/estimated-tokens.ts';
import { ArchivedCalls } from './archived-calls.ts';
import { byteSize, compactTokens, counted } from './figures.ts';

const MAX_LISTED = 20;
/** A result and its call are kept together, so that the call is among these. */
const MAX_READ = 200;
/** A larger block is listed, but not searched for calls. */
const MAX_READ_BYTES = 1 << 20;
/** Long enough to find a block by. */
export const SHORT_HASH = 12;
export const TITLE_CHARS = 100;

/** A block of the archive with the tool and file it is about. */
interface TitledBlock extends ArchivedBlock {
  /** `read_file src/a.ts`; the start of the text if there is no tool. */
  readonly title: string;
  /** Estimated. */
  readonly tokens: number;
}

function callTitle(call: ToolCallBlock): string {
  const key = keyParameter(call, llxprt);
  return key === undefined ? call.name : `${call.name} ${key}`;
}

const TITLES: {
  readonly [Type in ContentBlock['type']]: (
    block: Extract<ContentBlock, { readonly type: Type }>,
    call: ToolCallBlock | undefined,
  ) => string;
} = {
  tool_call: (block) => `${callTitle(block)} (call)`,
  tool_response: ({ toolName, result }, call) => {
    if (call) return callTitle(call);
    return typeof result === 'string' ? `${toolName}: ${result}` : toolName;
  },
  text: ({ text }) => text,
  thinking: ({ thought }) => `thought: ${thought}`,
  code: ({ code }) => code,
  media: ({ filename, mimeType }) => filename ?? mimeType,
};

/** What a block is about; a result is about its call. */
export function titleOf({ block, keptAt }: Pick<ReadBlock, 'block' | 'keptAt'>, calls: ArchivedCalls): string {
  const call = block.type === 'tool_response' ? calls.of({ block, keptAt }) : undefined;
  return (TITLES[block.type] as (block: ContentBlock, call: ToolCallBlock | undefined) => string)(block, call);
}

/** The first blocks with what they are about, each read from the archive. A call stands with its result. */
export async function titledBlocks(
  archive: Pick<BlockArchive, 'contents'>,
  blocks: readonly ArchivedBlock[],
): Promise<readonly TitledBlock[]> {
  const near = blocks.slice(0, MAX_READ).filter(({ sizeBytes }) => sizeBytes <= MAX_READ_BYTES);
  const contents = await archive.contents(near);
  const calls = new ArchivedCalls();
  calls.add(contents);
  const known = new Map(contents.map((read: ReadBlock) => [read.hash, read.block]));
  const answered = new Set(contents.flatMap(({ block }) => (block.type === 'tool_response' ? block.callId : [])));
  const listed = blocks.filter(({ hash }) => {
    const block = known.get(hash);
    return block?.type !== 'tool_call' || !answered.has(block.id);
  });
  return listed.slice(0, MAX_LISTED).map((archived) => {
    const block = known.get(archived.hash);
    const title = block ? oneLine(titleOf({ ...archived, block }, calls), TITLE_CHARS) : '';
    const tokens = block ? estimatedTokens([block]) : Math.ceil(archived.sizeBytes / CHARACTERS_PER_TOKEN);
    return { ...archived, title, tokens };
  });
}

/** A line for each of the titled blocks: hash, time (UTC), tokens and title. Then how many more there are at least. */
export function archivedList(blocks: readonly TitledBlock[], all: number): string[] {
  const lines = blocks.map(({ hash, tokens, keptAt, title }) =>
    `${hash.slice(0, SHORT_HASH)}  ${minute(keptAt)}  ${compactTokens(tokens).padStart(12)}  ${title}`.trimEnd(),
  );
  const more = all - MAX_LISTED;
  return blocks.length === MAX_LISTED && more > 0 ? [...lines, `and ${counted(more, 'older block')}`] : lines;
}

/** How much an archive has, in total and in time. */
interface ArchiveSize {
  readonly blocks: number;
  /** Of their files. */
  readonly sizeBytes: number;
  /** When the first and the last one was kept or used, in milliseconds since 1970; absent if there is none. */
  readonly oldestAt?: number;
  readonly newestAt?: number;
}

/** The size of an archive with these blocks, newest first. */
export function archiveSize(blocks: readonly ArchivedBlock[]): ArchiveSize {
  const sizeBytes = blocks.reduce((sum, block) => sum + block.sizeBytes, 0);
  const newest = blocks[0];
  const oldest = blocks.at(-1);
  return {
    blocks: blocks.length,
    sizeBytes,
    ...(oldest && newest && { oldestAt: oldest.keptAt, newestAt: newest.keptAt }),
  };
}

const minute = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/** `2 blocks of removed text, 12 kB, from 2026-01-02 10:00 to 2026-01-03 11:30 (UTC)`. */
export function archiveSizeText({ blocks, sizeBytes, oldestAt, newestAt }: ArchiveSize): string {
  const times =
    oldestAt === undefined || newestAt === undefined ? '' : `, from ${minute(oldestAt)} to ${minute(newestAt)} (UTC)`;
  return `${counted(blocks, 'block')} of removed text, ${byteSize(sizeBytes)}${times}`;
}
