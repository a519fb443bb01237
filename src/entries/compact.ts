export { assembleMessages } from '../compaction/assemble.ts';
export { compactMessages } from '../compaction/compact.ts';
export type {
  CompactOptions,
  CompactResult,
  CompactStats,
  FileReader,
  FileReadOptions,
  FileWriter,
  LlmClient,
  Logger,
  ReadTools,
  RestoredFiles,
  RestoreOptions,
  SummarizeOptions,
} from '../compaction/contract.ts';
export type { Message, MessageBlock, MessageLike, WrittenMessage } from '../compaction/message.ts';
export { partitionMessages } from '../compaction/partition.ts';
export { restoreRecentFiles } from '../compaction/restore/restore.ts';
export { shouldCompact } from '../compaction/threshold.ts';
