import { EDIT_RULES, type EditReason } from './edit-reason.ts';
import type { ReasonLabels } from './reason-row.ts';

/** The reason as one sentence for a person, without a full stop. `file` absent: absolute paths. */
export const explainReason = (
  reason: EditReason,
  { call, file = (path) => path }: Pick<ReasonLabels, 'call'> & Partial<ReasonLabels>,
): string => EDIT_RULES[reason.rule].row.sentence(reason, { call, file });
