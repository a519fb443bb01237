export { adjustForToolCallBoundary } from './content/calls/boundary.ts';
export type {
  CodeBlock,
  ContentBlock,
  ContentMetadata,
  IContent,
  MediaBlock,
  Speaker,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResponseBlock,
  Usage,
} from './content/content.ts';
export { ContentValidation, createToolResponse, createUserMessage } from './content/content.ts';
export type { OwnTools } from './content/tools/own-tools.ts';
export type { ToolDefinition, ToolRole, ToolVocabulary } from './content/vocabularies/vocabulary.ts';
export type { ErrorCode, ErrorContext } from './errors.ts';
export {
  CompressionExecutionError,
  CompressionStrategyError,
  EmptySummaryError,
  PromptResolutionError,
  UnknownStrategyError,
} from './errors.ts';
export type { Budget } from './gate/budget.ts';
export type { GateRunOptions, PreSendGateOptions, SummarizerAccess, TranscriptSink } from './gate/options.ts';
export { OriginalEntries } from './gate/original-entries.ts';
export { PreSendGate } from './gate/pre-send-gate.ts';
export type {
  CompressionOutcome,
  DensityOutcome,
  EnforcementOutcome,
  GateReport,
  LastResortOutcome,
  OnRemoved,
  RemovingStep,
} from './gate/report.ts';
export type { CopiedMarker, CopiedMarkerOptions } from './guard/contract.ts';
export { copiedMarker } from './guard/copied-marker.ts';
export type {
  Engine,
  EngineListener,
  EngineName,
  EngineProgress,
  EngineStats,
  EntryCount,
  HistoryChange,
  ServedHistory,
} from './history/engine.ts';
export type { HistoryEvents, TokensUpdate } from './history/events.ts';
export { HistoryService } from './history/history-service.ts';
export type { HistoryServiceOptions } from './history/options.ts';
export type { Restoration } from './history/undo/restoration.ts';
export type { CreateHistoryServiceOptions } from './offload/create-history-service.ts';
export { createEngine, createHistoryService, processPool, switchEngine } from './offload/create-history-service.ts';
export type { ThreadPoolOptions, ThreadPoolStats } from './offload/thread-pool.ts';
export { ThreadPool } from './offload/thread-pool.ts';
export type { EphemeralSettings } from './settings/registry.ts';
export type { SettingLayers } from './settings/resolve.ts';
export { applyModelSettings, createEphemerals } from './settings/resolve.ts';
export type { ChangedBlock, ChangedEntry } from './strategies/changed-entries.ts';
export type {
  AgentRuntimeContext,
  AgentRuntimeState,
  CompressionContext,
  CompressionResult,
  CompressionResultMetadata,
  CompressionStrategy,
  CompressionStrategyName,
  DebugLogger,
  DensityConfig,
  DensityEdit,
  DensityResult,
  DensityResultMetadata,
  Ephemerals,
  FailedSummary,
  IProvider,
  PromptContext,
  PromptResolver,
  ProviderFailure,
  StrategyOptions,
  StrategyTrigger,
  SummaryOutcome,
  SummaryRequest,
  Todo,
  WrittenSummary,
} from './strategies/contract.ts';
export { COMPRESSION_STRATEGIES } from './strategies/contract.ts';
export type { EditReason } from './strategies/reasons/edit-reason.ts';
export { parseCompressionStrategyName } from './strategies/strategy-name.ts';
export type { UnavailableReason } from './threads/unavailable.ts';
export { ThreadUnavailableError } from './threads/unavailable.ts';
