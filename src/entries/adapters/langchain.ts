export type { AdapterOptions } from '../../adapters/adapter-options.ts';
export type { BaseMessage, ModelInputOptions, ModelRequest } from '../../adapters/langchain.ts';
export { prunedModelCall, prunedModelInput } from '../../adapters/langchain.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
