import type { IncomingMessage } from 'node:http';
import { jsonFields } from '../../content/foreign-value.ts';
import type { OutgoingRequest } from '../../live/exchange/contract.ts';
import { type AnsweredRequest, sendChanged } from '../../live/exchange/send-changed.ts';
import { noteAnswer } from '../answer/note-answer.ts';
import type { ProxyRequestOptions } from '../contract.ts';
import type { OneByOne } from '../one-by-one.ts';
import type { Frame } from './carry.ts';
import { type Chain, Chains } from './chains.ts';
import { type CreatedResponse, createdResponse, itemsOf } from './created-response.ts';
import { type FirstEvent, SentResponse } from './sent-response.ts';

const API = 'openai-responses';
const NOTHING: Chain = { items: [], sent: [] };
/** A longer event is not read. */
const LONGEST_EVENT_BYTES = 16 * 1024 * 1024;

interface FramesOptions extends ProxyRequestOptions {
  /** Of the upgrade, lower-case names. */
  readonly headers: IncomingMessage['headers'];
  /** The origin of the provider. */
  readonly upstream: string;
  readonly looks: OneByOne;
  toUpstream(frame: Frame): void;
  toAgent(frame: Frame): void;
}

/**
 * The frames of one connection. A request for a response is changed as its whole history would be over HTTP: what is new is sent with its new texts;
 * where earlier text changes, all of it is sent as a new chain. In doubt a frame goes on as it came, and the connection is left alone from then on.
 */
export class ResponseFrames {
  readonly #options: FramesOptions;
  readonly #chains = new Chains();
  /** Responses that are not over, by their stream, in the order in which they were asked for. */
  readonly #sent = new Map<string, SentResponse[]>();
  readonly #left = new AbortController();
  /** True: nothing is changed any more, because the provider has items that were not seen. */
  #isLeftAlone = false;
  /** True: answers are not read any more, because it is not known which request they belong to. */
  #isUnread = false;

  constructor(options: FramesOptions) {
    this.#options = options;
  }

  /** True if no answer is on its way. */
  get isIdle(): boolean {
    return this.#sent.size === 0;
  }

  /** Sends a frame of the agent on. Resolves when it is sent; never rejects. */
  async fromAgent(frame: Frame): Promise<void> {
    const created = this.#isUnread || frame.isBinary ? undefined : createdResponse(frame.data);
    const before = created && this.#chains.before(created.previous);
    if (before === undefined) this.#leaveAlone();
    if (created) {
      const asked = { frame, created, before: before ?? NOTHING };
      return new Promise((resolve) => void this.#exchange({ ...asked, resolve }));
    }
    this.#options.toUpstream(frame);
  }

  /** Sends a frame of the provider on, without waiting for anything but whether a refused request is sent again. */
  fromUpstream(frame: Frame): void {
    if (this.isIdle || !this.#isHeld(frame)) this.#options.toAgent(frame);
  }

  /** The connection ended. */
  end(): void {
    this.#left.abort();
    this.#readNoMore();
  }

  /** Reads an event of an answer. True if it waits until it is known whether its request is sent again. */
  #isHeld(frame: Frame): boolean {
    const event = frame.isBinary || frame.data.length > LONGEST_EVENT_BYTES ? undefined : jsonFields(frame.data);
    const { type, stream_id: stream = '' } = event ?? {};
    const [sent] = this.#sent.get(String(stream)) ?? [];
    if (event === undefined || sent === undefined || typeof type !== 'string') {
      this.#readNoMore();
      return false;
    }
    // Others, such as those about limits, are about no response.
    if (type !== 'error' && !type.startsWith('response.')) return false;
    const { isOver, isHeld } = sent.read(frame, event);
    if (isOver) this.#remove(String(stream), sent);
    return isHeld;
  }

  #leaveAlone(): void {
    this.#isLeftAlone = true;
    this.#chains.clear();
  }

  #readNoMore(): void {
    this.#leaveAlone();
    this.#isUnread = true;
    for (const list of this.#sent.values()) for (const sent of list) sent.breakOff();
    this.#sent.clear();
  }

  #remove(stream: string, sent: SentResponse): void {
    const others = this.#sent.get(stream)?.filter((one) => one !== sent) ?? [];
    if (others.length > 0) this.#sent.set(stream, others);
    else this.#sent.delete(stream);
  }

  async #exchange(asked: Asked): Promise<void> {
    const { frame, created, before, resolve } = asked;
    const { onTrouble, toUpstream, toAgent } = this.#options;
    const startedAt = performance.now();
    let sentAt: number | undefined;
    let last: SentResponse | undefined;
    const send = (changed?: Uint8Array): Promise<FirstEvent> => {
      const made = changed && projected(created, { before, changed });
      if (changed && !made) {
        this.#leaveAlone();
        onTrouble?.('a changed request has other items; the original was sent');
      }
      const items = created.items;
      const sent = made?.sent ?? [...before.sent, ...items];
      last = new SentResponse({ items: [...before.items, ...items], sent }, made?.frame !== undefined);
      sentAt ??= performance.now();
      if (this.#isUnread) last.breakOff();
      else this.#sent.set(created.stream, [...(this.#sent.get(created.stream) ?? []), last]);
      toUpstream(made?.frame ? { data: made.frame, isBinary: false } : frame);
      resolve();
      return last.first;
    };
    try {
      const { answer, changed, isResent } = await this.#sendChanged(asked, send);
      if (answer.held) toAgent(answer.held);
      const { continued, ...facts } = await last!.ended;
      if (continued && !this.#isLeftAlone) this.#chains.add(continued.id, continued.chain);
      const call = { api: API, isCount: created.isWarmUp, model: undefined, status: answer.status } as const;
      noteAnswer(this.#options, facts, { ...call, startedAt, sentAt, sent: { changed, isResent } });
    } catch {
      // The connection ended before an answer came.
      resolve();
    }
  }

  async #sendChanged(
    { created, before }: Asked,
    send: (changed?: Uint8Array) => Promise<FirstEvent>,
  ): Promise<AnsweredRequest<FirstEvent>> {
    const { change, headers, upstream, looks, onTrouble } = this.#options;
    if (!change || this.#isLeftAlone) return { answer: await send(), isResent: false };
    await looks.turn();
    const outgoing: OutgoingRequest = {
      api: API,
      upstream,
      isCount: created.isWarmUp,
      headers: { ...headers, ...created.headers },
      body: created.whole(before.items),
      signal: this.#left.signal,
    };
    const refusal = async ({ error = '' }: FirstEvent): Promise<string> => error;
    return sendChanged(outgoing, { change, send, refusal, onTrouble });
  }
}

interface Asked {
  readonly frame: Frame;
  readonly created: CreatedResponse;
  /** What it continues. */
  readonly before: Chain;
  /** Called once it is sent. */
  readonly resolve: () => void;
}

/** What is sent for a request whose whole history has changed texts: `frame` is absent if it is the agent's own; undefined if it has other items. */
function projected(
  created: CreatedResponse,
  { before, changed }: { readonly before: Chain; readonly changed: Uint8Array },
): { readonly sent: readonly Buffer[]; readonly frame?: Buffer } | undefined {
  const items = itemsOf(changed);
  if (items?.length !== before.items.length + created.items.length) return undefined;
  // Copies, because a part of a body keeps all of it in memory.
  const sent = items.map((item, at) => {
    const known = before.sent[at] ?? created.items[at - before.sent.length]!;
    return item.equals(known) ? known : Buffer.from(item);
  });
  if (before.sent.some((item, at) => item !== sent[at])) return { sent, frame: created.asNewChain(sent) };
  const news = sent.slice(before.sent.length);
  return news.every((item, at) => item === created.items[at]) ? { sent } : { sent, frame: created.withItems(news) };
}
