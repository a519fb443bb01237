export type { AdapterOptions } from '../../adapters/adapter-options.ts';
export type { FilterArguments, InputOptions } from '../../adapters/openai-agents.ts';
export { prunedInput } from '../../adapters/openai-agents.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
