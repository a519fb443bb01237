import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { EditReason } from '../../reasons/edit-reason.ts';
import type { Draft } from '../rules/rule.ts';
import type { AllRulesInForce } from '../rules-in-force.ts';
import type { HistoryIndex } from './history-index.ts';

/** A rule that runs again and again while entries are only added and the settings are the same. */
export interface RepeatedPass {
  /** Reads what is new in the index; true if `prune` may edit the same draft in another way than last time. */
  update(): boolean;
  prune(draft: Draft<EditReason>): void;
}

/** What passes read. */
export interface PassContext {
  readonly index: HistoryIndex;
  readonly inForce: AllRulesInForce;
  readonly vocabulary: ToolVocabulary;
}
