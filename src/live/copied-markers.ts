import { isFailure } from '../content/calls/pairing.ts';
import type { IContent, ToolCallBlock } from '../content/content.ts';
import type { CallOf } from '../content/files/entry-label.ts';
import { callRole } from '../content/tools/call-role.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { CopiedMarker } from '../guard/contract.ts';
import { copiesIn } from '../guard/copy-in.ts';
import { isRefusal, noticeOf } from '../guard/refusal.ts';
import { markersIn, mayHaveMarker, type SentMarker } from '../guard/sent-marker.ts';
import type { Branch } from './conversation/branch.ts';
import type { ConversationList } from './conversation/conversation-list.ts';
import type { FrozenDecisions } from './conversation/frozen.ts';
import type { LiveDialect } from './request/dialects.ts';
import type { ChangedResult } from './turn/apply-waiting.ts';
import type { Slices } from './turn/slices.ts';

/** What a call is compared with: the forms that were sent, and the results before this place. */
interface EarlierText {
  readonly callOf: CallOf;
  readonly vocabulary: ToolVocabulary;
  readonly decisions: FrozenDecisions;
  readonly history: ConversationList;
  readonly before: number;
  /** Other texts that may have markers of their own. */
  readonly texts?: Iterable<string>;
}

/** The marker of a branch that a call would write now. */
export const copyNow = (
  call: ToolCallBlock,
  { decisions, history, reader: { callOf } }: Branch,
  given: { readonly vocabulary: ToolVocabulary; readonly texts: Iterable<string> },
): CopiedMarker | undefined => copyOf(call, { decisions, history, callOf, before: history.results.length, ...given });

/** The marker that a call wrote, by the place of its result; `undefined` where the call was refused, failed, or was made once more after a refusal. */
function copyAt(
  place: number,
  { decisions, history, reader: { callOf } }: Branch,
  vocabulary: ToolVocabulary,
): CopiedMarker | undefined {
  const { block, text } = history.results[place]!.result;
  const call = callOf(block);
  const copy = call && copyOf(call, { decisions, history, callOf, vocabulary, before: place });
  if (copy === undefined || block.type !== 'tool_response' || isRefusal(text)) return undefined;
  // A shell command may have written all the same.
  if (isFailure(block) && callRole(vocabulary, call!) === 'write') return undefined;
  const isMeant = history.results.slice(0, place).some(({ result }) => {
    const other = callOf(result.block);
    return other !== undefined && isRefusal(result.text) && isSameCall(call!, other);
  });
  return isMeant ? undefined : copy;
}

const isSameCall = (one: ToolCallBlock, other: ToolCallBlock): boolean =>
  one.name === other.name && JSON.stringify(one.parameters) === JSON.stringify(other.parameters);

function copyOf(call: ToolCallBlock, sent: EarlierText): CopiedMarker | undefined {
  return copiesIn(call, sent.vocabulary)?.(markersSent(sent), ownTexts(sent));
}

function* markersSent({ decisions }: EarlierText): Generator<SentMarker> {
  for (const { kind, text } of decisions.results.values()) if (kind !== 'named') yield* markersIn(text);
}

/**
 * The words of users, and results as the agent wrote them. A marker in these is their own text. If a tool shows what its call wrote, its
 * result does not count.
 */
function* ownTexts({
  history: { entries, results },
  callOf,
  vocabulary,
  before,
  texts = [],
}: EarlierText): Generator<string> {
  yield* texts;
  for (const entry of entries) yield* wordsOf(entry);
  for (const { result } of results.slice(0, before)) {
    const call = mayHaveMarker(result.text) ? callOf(result.block) : undefined;
    if (call && copiesIn(call, vocabulary) === undefined) yield result.text;
  }
}

const wordsOf = ({ speaker, blocks }: IContent): readonly string[] =>
  speaker === 'human' ? blocks.flatMap((block) => (block.type === 'text' ? block.text : [])) : [];

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
