import type { IContent } from '../../../content/content.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import { countEdits } from '../../reasons/edit-counts.ts';
import type { NewResult } from './new-results.ts';

/** How a result that was not sent yet is sent. */
export interface NewForm {
  readonly result: NewResult;
  readonly text: string;
}

/** A history with these forms. */
export function withForms(history: readonly IContent[], forms: readonly NewForm[]): IContent[] {
  const shaped = [...history];
  for (const { result, text } of forms) {
    const { entry, block, response } = result;
    shaped[entry] = { ...shaped[entry]!, blocks: shaped[entry]!.blocks.with(block, { ...response, result: text }) };
  }
  return shaped;
}

/** What the rules found in a history with forms, together with the forms, which come first. */
export function withEdits(
  found: DensityResult,
  { shaped, edits: own }: { readonly shaped: readonly IContent[]; readonly edits: readonly DensityEdit[] },
): DensityResult {
  const replacements = new Map<number, IContent>();
  const removed = new Set(found.removals);
  for (const { entry } of own) if (!removed.has(entry)) replacements.set(entry, shaped[entry]!);
  for (const [entry, content] of found.replacements) replacements.set(entry, content);
  const edits = [...own, ...(found.edits ?? [])].sort(
    (one, other) => one.entry - other.entry || one.block - other.block,
  );
  return { removals: found.removals, replacements, metadata: countEdits(edits), edits };
}
