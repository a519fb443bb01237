import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import { noticeOf } from '../../guard/refusal.ts';
import type { Branch } from '../conversation/branch.ts';
import type { LiveDialect } from '../request/dialects.ts';
import type { ChangedResult } from '../turn/apply-waiting.ts';
import type { Slices } from '../turn/slices.ts';
import { copyAt } from './sent-copy.ts';

interface Telling {
  readonly dialect: LiveDialect;
  readonly vocabulary: ToolVocabulary;
  readonly slices: Slices;
  /** The first element that was never sent. */
  readonly fresh: number;
}

/** Adds one line to each new result whose call wrote a marker that was sent, before the result is sent for the first time. */
export async function tellCopies(
  branch: Branch,
  { dialect, vocabulary, slices, fresh }: Telling,
): Promise<ChangedResult[]> {
  const { history, decisions } = branch;
  if (decisions.results.size === 0) return [];
  const told: ChangedResult[] = [];
  for (let place = history.results.length - 1; place >= 0; place--) {
    const listed = history.results[place]!;
    if (listed.element < fresh || slices.isLate) break;
    const { result } = listed;
    const { id, block } = result;
    if (slices.isOver()) await slices.next();
    if (block.type !== 'tool_response') continue;
    const copy = decisions.isOpen(id) ? copyAt(place, branch, vocabulary) : undefined;
    if (copy === undefined) continue;
    const withNotice = (before: string): string => `${before.replace(/\n?$/, '\n')}${noticeOf(copy)}`.trimStart();
    const text = dialect.textOf
      ? dialect.textOf({ ...block, result: withNotice(String(block.result)) }, result.text)
      : withNotice(result.text);
    decisions.freeze({ id, kind: 'told', text, reason: 'its call wrote a marker', files: [], losesNothing: true });
    told.push({ ...listed, before: undefined });
  }
  return told.reverse();
}
