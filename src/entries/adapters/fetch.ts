export type { PrunedFetchOptions } from '../../adapters/fetch.ts';
export { prunedFetch } from '../../adapters/fetch.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
