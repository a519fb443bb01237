import type { ToolVocabulary } from '../vocabulary.ts';
/** Claude Code. Its Bash keeps the working directory between calls. */
export declare const claudeCode: ToolVocabulary;
