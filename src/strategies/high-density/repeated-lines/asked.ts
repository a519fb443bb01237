import type { IContent } from '../../../content/content.ts';
import type { FileAccessOf } from '../../../content/files/cached-file-access.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { DensityResult } from '../../contract.ts';
import type { FileCall } from '../rules/file-call.ts';
import type { AllRulesInForce } from '../rules-in-force.ts';
import type { LineIndex } from './line-index.ts';

/** What the forms of new results are made with. */
export interface Asked {
  readonly inForce: AllRulesInForce;
  readonly vocabulary: ToolVocabulary;
  readonly fileAccess: FileAccessOf;
  /** The lines of the first `count` entries of a history. */
  linesOf(history: readonly IContent[], count: number): LineIndex;
  /** The calls of the history that was pruned last in whose results notes may stand. */
  notedCalls(history: readonly IContent[]): Iterable<FileCall>;
  /** The edits of all other rules. */
  prune(history: readonly IContent[]): DensityResult;
}
