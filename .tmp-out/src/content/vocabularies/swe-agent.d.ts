import type { ToolVocabulary } from '../vocabulary.ts';
/** SWE-agent. `goto`, `scroll_*`, `edit` and `insert` act on whatever file is open, so they name none. */
export declare const sweAgent: ToolVocabulary;
