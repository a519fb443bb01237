import { isRecord } from '../content/foreign-value.ts';
import { NO_CACHE_STEPS } from '../live/cache/vendor-host.ts';
import { inTime } from '../live/exchange/send-changed.ts';
import { LivePruner } from '../live/live-pruner.ts';
import { type AdapterOptions, warningOptions } from './adapter-options.ts';

/** A message as Anthropic's API would get it. A result that can be shortened has a string as its content. */
export interface ViewMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
  readonly cache_control?: unknown;
}

/** How the elements of an SDK's list are seen as messages, and how a result in one gets another text. */
export interface ListForm<Element> {
  view(element: Element): readonly ViewMessage[];
  /** A copy of the element in which the block at this place of the message with its results has this text. */
  withText(element: Element, place: number, text: string): Element;
}

/** What is known of a request beside its list. */
interface ListFacts {
  readonly model?: string | undefined;
  readonly conversation?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Only their size counts, and whether there are any; absent where the SDK does not show them. */
  readonly tools?: unknown;
  readonly system?: unknown;
  /** True if the server has a part of the history. */
  readonly isElsewhere?: boolean;
  readonly signal?: AbortSignal | null | undefined;
}

/** A list to send instead of the original. */
export interface PrunedList<Element> {
  readonly list: Element[];
  /** What to send once more after a 400; absent if nothing is new in the list. */
  readonly withoutNew?: () => AcceptedList<Element>;
}

/** A list without what is new; the original has none of its own. */
interface AcceptedList<Element> {
  readonly list: Element[] | undefined;
  /** Tells that the provider accepted it. */
  accepted(): Promise<void>;
}

/**
 * Prunes lists of one SDK: `undefined` if the original is to be sent. The list and its elements are never changed. A copy that
 * was returned before, and that the SDK kept, counts as its original.
 */
export function listPruner<Form extends object>(
  form: ListForm<Form>,
  options: AdapterOptions,
): <Element extends Form>(list: readonly Element[], facts: ListFacts) => Promise<PrunedList<Element> | undefined> {
  // What SDKs need of thinking is not known, and how they write marks.
  const own = { keepsThinking: true, ...NO_CACHE_STEPS };
  const pruner = new LivePruner({ api: 'anthropic-messages', ...warningOptions(options), ...own });
  const originals = new WeakMap<Form, Form>();
  return <Element extends Form>(given: readonly Element[], facts: ListFacts) =>
    inTime(async (left) => {
      const { model = '', conversation, headers = {}, tools = [{}], system, isElsewhere } = facts;
      const list = given.map((element) => (originals.get(element) ?? element) as Element);
      const views = list.map((element) => form.view(element));
      const messages = views.flat();
      const { body, withoutNew } = await pruner.prune({
        body: { model, system, tools, messages, ...(isElsewhere && { thread: true }) },
        headers,
        signal: left,
        ...(conversation !== undefined && { conversation }),
      });
      const listOf = (sent: readonly ViewMessage[]): Element[] | undefined => {
        let at = 0;
        const changed = list.map((element, index) => {
          const texts = views[index]!.flatMap((view) => newTexts(view, sent[at++]!));
          if (texts.length === 0) return element;
          const copy = texts.reduce((one, [place, text]) => form.withText(one, place, text), element as Form);
          originals.set(copy, element);
          return copy as Element;
        });
        return changed.every((element, index) => element === given[index]) ? undefined : changed;
      };
      const sent = listOf(body.messages);
      if (sent === undefined) return undefined;
      if (withoutNew === undefined) return { list: sent };
      const again = (): AcceptedList<Element> => {
        const { body: accepted, report } = withoutNew();
        return { list: listOf(accepted.messages), accepted: () => pruner.observe(report, { status: 200 }) };
      };
      return { list: sent, withoutNew: again };
    }, facts);
}

function newTexts({ content: before }: ViewMessage, { content: after }: ViewMessage): [place: number, text: string][] {
  if (before === after || typeof before === 'string' || typeof after === 'string') return [];
  return after.flatMap((block, place) => (block === before[place] ? [] : [[place, String(block['content'])]]));
}

/** The status of an answer in an error, or in its cause: frameworks wrap errors. */
function statusOf(error: unknown): unknown {
  if (!isRecord(error)) return undefined;
  return error['statusCode'] ?? error['status'] ?? statusOf(error['cause']);
}

/** Sends what was pruned; what a provider refuses with a 400 is sent once more without what is new in it. Throws what `send` throws. */
export async function sendPruned<Element, Result>(
  pruned: PrunedList<Element> | undefined,
  send: (list?: Element[]) => PromiseLike<Result> | Result,
): Promise<Result> {
  if (pruned === undefined) return send();
  try {
    return await send(pruned.list);
  } catch (error) {
    if (statusOf(error) !== 400 || !pruned.withoutNew) throw error;
    const { list, accepted } = pruned.withoutNew();
    const result = await send(list);
    await accepted();
    return result;
  }
}
