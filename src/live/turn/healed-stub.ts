import { readsLikeFailure } from '../../content/calls/failure-text.ts';
import { isFailure } from '../../content/calls/pairing.ts';
import type { ToolCallBlock } from '../../content/content.ts';
import type { CallOf } from '../../content/files/entry-label.ts';
import type { ConversationList } from '../conversation/conversation-list.ts';
import type { LiveResult, ReadText } from '../conversation/element.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import type { Labels } from '../conversation/labels.ts';

/** What was sent before a new result. */
interface EarlierResults {
  readonly history: ConversationList;
  /** The place of the new result in the history's results: those before it count. */
  readonly before: number;
  readonly frozen: ReadonlyMap<string, FrozenResult>;
  readonly callOf: CallOf;
  /** By `readKey`, also those that the agent does not send any more. */
  readonly readTexts: ReadonlyMap<string, ReadText>;
  readonly labels: Labels;
}

const idAt = ({ results }: ConversationList, place: number): string => results[place]!.result.id;

/** For a stub, the text of the read that it refers to, if its model does not see that any more. */
export function healedStub({ id, isStub, readKey }: LiveResult, earlier: EarlierResults): FrozenResult | undefined {
  const { labels, readTexts } = earlier;
  if (!isStub || readKey === undefined || stubTarget(readKey, earlier) !== undefined) return undefined;
  const read = readTexts.get(readKey)?.text;
  if (read === undefined) return undefined;
  const edits = laterWrites(readKey, earlier);
  const note =
    edits.length === 0
      ? ''
      : `[density: the text below is older than ${edits.map((one) => labels.call(one)).join(', ')}]\n`;
  const reason = 'the read that it refers to is not in the request any more';
  return { id, kind: 'healed', text: `${note}${read}`, reason, files: [] };
}

/** True if all lines of a result are sent: a note stands only for lines that are shown above it. */
const isShown = (form: FrozenResult | undefined): boolean => form === undefined || form.sources !== undefined;

/** The result that a stub for this file and range refers to, if its model sees it in full. */
export function stubTarget(
  readKey: string,
  { history, before, frozen }: Pick<EarlierResults, 'history' | 'before' | 'frozen'>,
): string | undefined {
  const isSeen = (at: number): boolean => at < before && history.results[at]!.at >= history.seenFrom;
  const place = history.withRead(readKey).findLast((at) => isSeen(at) && isShown(frozen.get(idAt(history, at))));
  return place === undefined ? undefined : idAt(history, place);
}

/** Calls after the newest read of this text that changed its file. */
function laterWrites(readKey: string, { history, before, callOf, labels }: EarlierResults): ToolCallBlock[] {
  const [file] = JSON.parse(readKey) as [string];
  const from = history.withRead(readKey).findLast((at) => at < before) ?? -1;
  return history.results.slice(from + 1, before).flatMap(({ result: { block } }) => {
    const call = callOf(block);
    const isWrite = call !== undefined && !failed(block) && labels.files(call).writes.includes(file);
    return isWrite ? [call] : [];
  });
}

const failed = (block: LiveResult['block']): boolean =>
  block.type === 'tool_response' && (isFailure(block) || readsLikeFailure(block));

/** The files whose text the call of a new result needed: an edit that failed, or a read. */
export function filesNeededBy(
  result: LiveResult,
  { callOf, labels }: Pick<EarlierResults, 'callOf' | 'labels'>,
): readonly string[] {
  const call = callOf(result.block);
  if (call === undefined) return [];
  const { reads, writes, isPureRead } = labels.files(call);
  if (failed(result.block)) return writes;
  return isPureRead ? reads : [];
}
