export type { AdapterOptions } from '../../adapters/adapter-options.ts';
export type { PartedMessage } from '../../adapters/opencode.ts';
export { prunedTransform } from '../../adapters/opencode.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
