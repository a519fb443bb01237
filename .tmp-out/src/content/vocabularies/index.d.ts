import type { ToolVocabulary } from '../vocabulary.ts';
/** Every vocabulary by its name, which is what crosses to a thread. Source: recordings of each agent. */
export declare const VOCABULARIES: ReadonlyMap<string, ToolVocabulary>;
