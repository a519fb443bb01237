export type {
  AnswerOutcome,
  AnswerPart,
  AnswerRequest,
  ChatModel,
  ToolSpecification,
} from '../providers/chat-model.ts';
export type { RetryOptions } from '../providers/failures/retrying-provider.ts';
export { createChatModel, createProvider } from '../providers/index.ts';
export type { ModelProviderOptions } from '../providers/model-provider.ts';
export { RecordedSummaries } from '../providers/recorded-summaries.ts';
export { getCompressionPrompt } from '../strategies/prompts.ts';
