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
  Message,
  MessageBlock,
  MessageLike,
  ReadTools,
  RestoredFiles,
  RestoreOptions,
  SummarizeOptions,
  WrittenMessage,
} from '../compaction/contract.ts';
export { partitionMessages } from '../compaction/partition.ts';
export { restoreRecentFiles } from '../compaction/restore/restore.ts';
export { shouldCompact } from '../compaction/threshold.ts';
