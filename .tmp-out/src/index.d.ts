export type * from './content/content.ts';
export { ContentValidation, createToolResponse, createUserMessage } from './content/content.ts';
export type { ErrorCode, ErrorContext } from './errors.ts';
export { CompressionExecutionError, CompressionStrategyError, UnknownStrategyError } from './errors.ts';
export type * from './strategies/contract.ts';
