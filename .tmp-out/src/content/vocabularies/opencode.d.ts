import type { ToolVocabulary } from '../vocabulary.ts';
/** opencode: every path key is `filePath`. */
export declare const opencode: ToolVocabulary;
