import type { ToolVocabulary } from '../vocabulary.ts';
/** OpenHands: function names of tool-calling runs and action names of event lists. */
export declare const openhands: ToolVocabulary;
