export type { AdapterOptions } from '../../adapters/adapter-options.ts';
export { prunedMessages } from '../../adapters/anthropic.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
