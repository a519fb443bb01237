export type { AdapterOptions } from '../../adapters/adapter-options.ts';
export type { ContextOptions } from '../../adapters/pi.ts';
export { prunedContext } from '../../adapters/pi.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
