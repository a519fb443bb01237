import type { ArchivedBlock, BlockArchive } from '../../../disk/block-archive.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { sessionHash } from '../../../live/stored-lines.ts';
import { archiveSize, archiveSizeText } from '../../../report/archived-list.ts';
import { byteSize, counted } from '../../../report/figures.ts';
import { sessionBlocks } from '../../../sessions/archive/session-blocks.ts';
import { userArchive } from '../../../sessions/archive/user-archive.ts';
import { openSession } from '../../options/session-file.ts';
import { sessionPath } from '../../options/session-path.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';

const ALL = 'all';

async function printSize(archive: BlockArchive, json: boolean): Promise<void> {
  const { out } = terminal();
  const { folder } = archive;
  const { mostBytes, keepDays } = archive.limits;
  const size = archiveSize(await archive.list());
  const isFull = size.sizeBytes > mostBytes && (await archive.isFull());
  if (json) return printJson({ folder, ...size, mostBytes, keepDays, isFull });
  const days = counted(keepDays, 'day');
  const limit = `limit ${byteSize(mostBytes)}; what was kept or used within ${days} is not deleted`;
  const full = isFull ? 'It is full: nothing more is kept, and no text is left out that would be lost.\n' : '';
  await out.print(`${printable(folder)}\n${archiveSizeText(size)}\n${limit}\n${full}`);
}

/**
 * The blocks that only the conversations of a session name: by the agent's own id of it, also where it has no recording any more, else by
 * path, id or `latest`.
 * @throws CompressionStrategyError `SESSION_UNKNOWN`, or as `sessionPath` and `openSession`.
 */
async function blocksOf(archive: BlockArchive, named: string): Promise<readonly ArchivedBlock[]> {
  const own = await sessionBlocks(archive, sessionHash(named));
  if (own !== undefined) return own;
  const { recorded } = await openSession(await sessionPath(named));
  const found = recorded.id === undefined ? undefined : await sessionBlocks(archive, sessionHash(recorded.id));
  if (found !== undefined) return found;
  throw new CompressionStrategyError(
    `Expected a session that ran under \`density wrap\` or \`density proxy\` and is named in its requests, got "${named}", which has no known conversation. --delete all deletes everything.`,
    'SESSION_UNKNOWN',
  );
}

async function printDeleted(archive: BlockArchive, named: string, json: boolean): Promise<void> {
  const deleted = named === ALL ? await archive.deleteAll() : await archive.delete(await blocksOf(archive, named));
  const { blocks, sizeBytes } = archiveSize(deleted);
  const { out } = terminal();
  await out.print(
    json
      ? `${JSON.stringify({ folder: archive.folder, deleted: { blocks, sizeBytes } })}\n`
      : `Deleted ${counted(blocks, 'block')} of removed text, ${byteSize(sizeBytes)}, from ${printable(archive.folder)}\n`,
  );
}

/** How much removed text is kept on this computer; with `deleted`, deletes what was removed from that session, or everything. */
export async function keptText({
  deleted,
  json = false,
}: {
  readonly deleted?: string | undefined;
  readonly json?: boolean | undefined;
}): Promise<void> {
  const opened = userArchive(await layersInForce({}));
  if (deleted === undefined) await printSize(opened, json);
  else await printDeleted(opened, deleted, json);
}
