import type { ToolVocabulary } from '../vocabulary.ts';
/** pi: `path` everywhere, one fresh shell per call. */
export declare const pi: ToolVocabulary;
