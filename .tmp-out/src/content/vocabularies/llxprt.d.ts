import type { ToolVocabulary } from '../vocabulary.ts';
/**
 * LLxprt Code, and the default. Reads and writes are exactly REQ-HD-005.2 and 005.3, path keys REQ-HD-005.4.
 * Its shell is not parsed: the requirements name no shell tool.
 */
export declare const llxprt: ToolVocabulary;
