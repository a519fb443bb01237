import type { ToolVocabulary } from '../vocabulary.ts';
/** OpenAI Codex CLI: files are read and written through the shell and `apply_patch`. */
export declare const codex: ToolVocabulary;
