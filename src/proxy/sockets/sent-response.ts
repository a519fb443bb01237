import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { ProviderAnswer } from '../../live/contract.ts';
import { type AnswerFacts, factsWith } from '../answer/answer-facts.ts';
import { TOOL_WAITS } from '../answer/tool-wait.ts';
import type { Frame } from './carry.ts';
import type { Chain } from './chains.ts';
import { itemOfEvent } from './created-response.ts';

/** The start of an answer: 200 once anything of it came, else the status of its error. */
export interface FirstEvent extends Pick<ProviderAnswer, 'error'> {
  readonly status: number;
  /** Not sent to the agent yet: the request may be sent again. */
  readonly held?: Frame;
}

/** How an answer ended. */
interface EndOfResponse extends AnswerFacts {
  /** The items up to its end; absent if one of them was not seen whole. */
  readonly continued?: { readonly id: string; readonly chain: Chain };
}

const API = 'openai-responses';
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.failed', 'response.incomplete', 'error']);
/** Errors of a chain or a connection. If the request is sent again, it is refused again. Source: as `CreatedResponse`. */
const ENDED: ReadonlySet<unknown> = new Set(['previous_response_not_found', 'websocket_connection_limit_reached']);
const NOT_FOUND = 404;

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** A request for a response that was sent, and its answer while it comes. */
export class SentResponse {
  readonly first: Promise<FirstEvent>;
  readonly ended: Promise<EndOfResponse>;
  readonly #chain: Chain;
  readonly #mayBeSentAgain: boolean;
  readonly #answer: Buffer[] = [];
  #isWhole = true;
  #isToolWait = false;
  #startWith!: (first: FirstEvent) => void;
  #fail!: (reason: Error) => void;
  #endWith!: (end: EndOfResponse) => void;

  /** `chain`: the items before the answer. */
  constructor(chain: Chain, mayBeSentAgain: boolean) {
    this.#chain = chain;
    this.#mayBeSentAgain = mayBeSentAgain;
    this.first = new Promise((resolve, reject) => {
      this.#startWith = resolve;
      this.#fail = reject;
    });
    this.ended = new Promise((resolve) => {
      this.#endWith = resolve;
    });
    this.first.catch(() => {});
  }

  /** Reads an event of the answer. */
  read(frame: Frame, event: Fields): { readonly isOver: boolean; readonly isHeld: boolean } {
    const isOver = ENDS.has(event['type']);
    if (event['type'] === 'response.output_item.done') this.#note(frame, event);
    const { status, error } = event['type'] === 'error' ? errorOf(event) : { status: 200, error: undefined };
    const isHeld = status === 400 && this.#mayBeSentAgain && this.#answer.length === 0;
    this.#startWith({ status, ...(error !== undefined && { error }), ...(isHeld && { held: frame }) });
    if (isOver) this.#end(frame, event);
    return { isOver, isHeld };
  }

  /** Nothing more comes. */
  breakOff(): void {
    this.#fail(new Error('The connection ended.'));
    this.#endWith({});
  }

  #note({ data }: Frame, event: Fields): void {
    const item = itemOfEvent(data);
    const { type, encrypted_content: sealed } = fieldsOf(event['item']);
    const isSealed = type !== 'reasoning' || (typeof sealed === 'string' && sealed !== '');
    if (TOOL_WAITS[API].isIn(event)) this.#isToolWait = true;
    if (item === undefined || !isSealed || event['output_index'] !== this.#answer.length) this.#isWhole = false;
    else this.#answer.push(item);
  }

  #end({ data }: Frame, event: Fields): void {
    // Some providers list no items at the end.
    const facts = factsWith(this.#isToolWait ? { isToolWait: true } : {}, API, data);
    const { id, output } = fieldsOf(event['response']);
    const listed = Array.isArray(output) && output.length > 0 ? output.length : this.#answer.length;
    const isWhole = this.#isWhole && event['type'] === 'response.completed' && listed === this.#answer.length;
    const { items, sent } = this.#chain;
    const chain = { items: [...items, ...this.#answer], sent: [...sent, ...this.#answer] };
    this.#endWith({ ...facts, ...(isWhole && typeof id === 'string' && { continued: { id, chain } }) });
  }
}

/** Source: as `CreatedResponse`. */
function errorOf(event: Fields): { status: number; error: string } {
  const { status } = event;
  const { code, message } = fieldsOf(event['error']);
  const known = typeof status === 'number' ? status : 500;
  return { status: ENDED.has(code) ? NOT_FOUND : known, error: typeof message === 'string' ? message : '' };
}
