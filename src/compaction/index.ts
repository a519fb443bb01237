export { assembleMessages } from './assemble.ts';
export { compactMessages } from './compact.ts';
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
} from './contract.ts';
export type { Message, MessageBlock, MessageLike, WrittenMessage } from './message.ts';
export { partitionMessages } from './partition.ts';
export { restoreRecentFiles } from './restore/restore.ts';
export { shouldCompact } from './threshold.ts';
