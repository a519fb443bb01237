export type { AdapterOptions } from '../../adapters/adapter-options.ts';
export type { CallOptions, Step, StepOptions } from '../../adapters/ai-sdk.ts';
export { prunedPrompts, prunedSteps } from '../../adapters/ai-sdk.ts';
export type { ModelMessage } from '../../adapters/model-messages.ts';
export type { PruneReport, PrunerStore } from '../../live/contract.ts';
export { fileStore } from '../../live/file-store.ts';
