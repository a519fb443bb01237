/** Files of one job. */
const MAX_FILES = 100;
const MAX_BYTES = 64 * 1024 * 1024;

interface SizedFile {
  readonly sizeBytes: number;
}

/**
 * Cuts files into shards of at most 100 files and 64 MB, in their order; a larger file is a shard of its own. The same
 * files give the same shards. Source: docs/fleet.md.
 */
export function shardsOf<File extends SizedFile>(files: readonly File[]): File[][] {
  const shards: File[][] = [];
  let bytes = 0;
  for (const file of files) {
    const shard = shards.at(-1);
    bytes += file.sizeBytes;
    if (shard === undefined || shard.length === MAX_FILES || bytes > MAX_BYTES) {
      shards.push([file]);
      bytes = file.sizeBytes;
    } else shard.push(file);
  }
  return shards;
}
