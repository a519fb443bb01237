export { ContentValidation, createToolResponse, createUserMessage } from './content/content.js';
export { CompressionExecutionError, CompressionStrategyError, UnknownStrategyError } from './errors.js';
