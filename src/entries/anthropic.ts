export { prunedMessages } from '../adapters/anthropic.ts';
export type { AdapterOptions } from '../adapters/http-exchange.ts';
export type { PruneReport, PrunerStore } from '../live/contract.ts';
export { fileStore } from '../live/file-store.ts';
