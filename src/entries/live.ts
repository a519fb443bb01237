export type { OwnTools } from '../content/tools/own-tools.ts';
export type { DecisionCause } from '../economics/decision.ts';
export type { CopiedMarker } from '../guard/contract.ts';
export type {
  Body,
  LiveApi,
  LiveRequest,
  ProjectedResult,
  ProjectionKind,
  PromptChange,
  ProviderAnswer,
  Pruned,
  PruneMessages,
  PruneReport,
  Pruner,
  PrunerOptions,
  PrunerStore,
  StoredLines,
  Untouched,
} from '../live/contract.ts';
export { fileStore } from '../live/file-store.ts';
export { createPruner } from '../live/pruner.ts';
export type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
