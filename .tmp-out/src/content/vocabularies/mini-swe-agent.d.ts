import type { ToolVocabulary } from '../vocabulary.ts';
/** mini-swe-agent: nothing but a fresh shell per call. */
export declare const miniSweAgent: ToolVocabulary;
