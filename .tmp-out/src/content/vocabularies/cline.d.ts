import type { ToolVocabulary } from '../vocabulary.ts';
/** Cline (classic, native and SDK) and Roo Code. Their terminals keep the working directory between calls. */
export declare const cline: ToolVocabulary;
