import type { ToolVocabulary } from '../vocabulary.ts';
/** Gemini CLI, old and new parameter names. */
export declare const gemini: ToolVocabulary;
