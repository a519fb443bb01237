export type {
  CompactOptions,
  CompactResult,
  CompactStats,
  FileReader,
  FileWriter,
  LlmClient,
  Logger,
  Message,
  RestoredFiles,
  RestoreOptions,
} from './compaction/index.ts';
export {
  assembleMessages,
  compactMessages,
  partitionMessages,
  restoreRecentFiles,
  shouldCompact,
} from './compaction/index.ts';
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
export type { SessionEvent } from './content/session-event.ts';
export { VOCABULARIES } from './content/vocabularies/index.ts';
export type { ToolDefinition, ToolRole, ToolVocabulary } from './content/vocabularies/vocabulary.ts';
export type { ArchivedBlock } from './disk/block-archive.ts';
export { BlockArchive, blockHash, takenBlocks } from './disk/block-archive.ts';
export type { Bill } from './economics/bill.ts';
export type { ErrorCode, ErrorContext } from './errors.ts';
export {
  CompressionExecutionError,
  CompressionStrategyError,
  EmptySummaryError,
  PromptResolutionError,
  UnknownStrategyError,
} from './errors.ts';
export type { Line, NewSession, Session, SessionFormat, SkippedLine } from './formats/contract.ts';
export { liveHistory } from './formats/contract.ts';
export type { Conversion } from './formats/convert.ts';
export { convertSession, writableFormats } from './formats/convert.ts';
export { detectFormat, formatNamed, SESSION_FORMATS } from './formats/index.ts';
export { linesOf, linesOfText } from './formats/lines/lines.ts';
export type { Loss, LossKind } from './formats/losses/loss-kinds.ts';
export { LOSS_TITLES } from './formats/losses/loss-kinds.ts';
export { lossesBetween } from './formats/losses/losses.ts';
export type { Budget } from './gate/budget.ts';
export type { TranscriptHeader } from './gate/file-transcript.ts';
export { FileTranscript } from './gate/file-transcript.ts';
export type { GateRunOptions, PreSendGateOptions, SummarizerAccess } from './gate/options.ts';
export { PreSendGate } from './gate/pre-send-gate.ts';
export type {
  CompressionOutcome,
  DensityOutcome,
  EnforcementOutcome,
  GateReport,
  LastResortOutcome,
} from './gate/report.ts';
export type { TranscriptSink } from './gate/transcript.ts';
export type {
  Engine,
  EngineListener,
  EngineName,
  EngineProgress,
  EngineStats,
  EntryCount,
  HistoryChange,
} from './history/engine.ts';
export type { HistoryEvents, TokensUpdate } from './history/events.ts';
export type { HistoryServiceOptions } from './history/history-service.ts';
export { HistoryService } from './history/history-service.ts';
export type { Restoration } from './history/restorable-history.ts';
export type { Certificate, CertificateOptions, CertifiedItem, CertifiedLaws } from './lab/certificate.ts';
export { certify } from './lab/certificate.ts';
export type { ChangeContext, ChangeRule } from './lab/changed-items.ts';
export type { ComparedSession } from './lab/comparison.ts';
export { comparePolicies } from './lab/comparison.ts';
export type { LintFinding, LintRule } from './lab/lint/lint.ts';
export { lintHistory } from './lab/lint/lint.ts';
export { lintRequest } from './lab/lint/request-lint.ts';
export type { Policy } from './lab/policy.ts';
export { parsePolicies, USUAL_POLICIES } from './lab/policy.ts';
export type { PolicyOutcome } from './lab/policy-outcome.ts';
export type { Certainty, Regret } from './lab/regrets.ts';
export type { NeedKind } from './needs/need.ts';
export type { CreateHistoryServiceOptions } from './offload/create-history-service.ts';
export { createEngine, createHistoryService, processPool, switchEngine } from './offload/create-history-service.ts';
export type { ThreadPoolOptions, ThreadPoolStats } from './offload/thread-pool.ts';
export { ThreadPool } from './offload/thread-pool.ts';
export type { UnavailableReason } from './offload/unavailable.ts';
export { ThreadUnavailableError } from './offload/unavailable.ts';
export type { RetryOptions } from './providers/failures/retrying-provider.ts';
export { createProvider } from './providers/index.ts';
export type { ModelProviderOptions } from './providers/model-provider.ts';
export { RecordedSummaries } from './providers/recorded-summaries.ts';
export type { ReplayOptions } from './replay/replay.ts';
export { replaySession } from './replay/replay.ts';
export type { ReplayPolicy, ReplayResult, ReplayTurn } from './replay/result.ts';
export { BUILT_IN_PROFILES } from './settings/built-in-profiles.ts';
export { checkSetting, parseSettings } from './settings/parse.ts';
export type { ListedProfile, Profile } from './settings/profile-store.ts';
export { ProfileStore } from './settings/profile-store.ts';
export { promptFiles } from './settings/prompt-files.ts';
export type { EphemeralSettings, SettingKey, SettingRow } from './settings/registry.ts';
export { SETTINGS_REGISTRY } from './settings/registry.ts';
export type { SettingLayers } from './settings/resolve.ts';
export { createEphemerals } from './settings/resolve.ts';
export type { ExplainedSetting, SettingOrigin, SettingSource, SettingSources } from './settings/sources.ts';
export { explainSettings, settingSources } from './settings/sources.ts';
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
export { HighDensityStrategy } from './strategies/high-density/high-density.ts';
export { getCompressionStrategy, parseCompressionStrategyName } from './strategies/index.ts';
export { MiddleOutStrategy } from './strategies/middle-out.ts';
export { OneShotStrategy } from './strategies/one-shot.ts';
export { getCompressionPrompt } from './strategies/prompts.ts';
export { TopDownTruncationStrategy } from './strategies/top-down-truncation.ts';
export type { CountBlock } from './tokens/entries/block-counter.ts';
export { blockCounter } from './tokens/entries/block-counter.ts';
export { countBlock, countEntry } from './tokens/entries/entry.ts';
export type { FamilyName, FamilyTokenizer } from './tokens/index.ts';
export { createTokenizer, TOKENIZER_FAMILIES } from './tokens/index.ts';
export { learnFactor } from './tokens/learned-factor.ts';
export { contextLimitOfModel, familyOfModel } from './tokens/models.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';
