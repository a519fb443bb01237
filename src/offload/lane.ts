import type { Reply, Request } from './protocol.ts';
import { ThreadUnavailableError } from './unavailable.ts';

/** A request that waits for its turn. It holds no payload: that is built when its turn has come. */
interface Ticket {
  readonly build: () => Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The queue before one thread: first come, first served, one at a time. A history has one request in it at most, so
 * histories take turns, and none waits for more than one request of each other one.
 */
export class Lane {
  readonly #send: (build: () => Request) => Promise<Reply>;
  readonly #mostWaiting: number;
  readonly #waiting: Ticket[] = [];
  #isBusy = false;
  #giveUp: (error: ThreadUnavailableError) => void = () => {};

  constructor(send: (build: () => Request) => Promise<Reply>, mostWaiting: number) {
    this.#send = send;
    this.#mostWaiting = mostWaiting;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The reply, when its turn has come. @throws ThreadUnavailableError `full` when too many wait; what sending throws. */
  async enter(build: () => Request): Promise<Reply> {
    if (this.#waiting.length >= this.#mostWaiting) throw new ThreadUnavailableError('full');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ build, resolve, reject });
      this.#advance();
    });
  }

  /** Rejects when the request in flight is given up; never resolves. */
  givenUp(): Promise<never> {
    const givenUp = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    givenUp.catch(() => {});
    return givenUp;
  }

  /** Ends the wait for the request in flight, if there is one. */
  giveUp(error: ThreadUnavailableError): void {
    this.#giveUp(error);
  }

  /** Ends the wait for the request in flight and for all that are to follow. */
  giveUpAll(error: ThreadUnavailableError): void {
    this.#giveUp(error);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #advance(): void {
    if (this.#isBusy) return;
    const ticket = this.#waiting.shift();
    if (ticket === undefined) return;
    this.#isBusy = true;
    const finish = (): void => {
      this.#isBusy = false;
      this.#giveUp = () => {};
      this.#advance();
    };
    this.#send(ticket.build).then(ticket.resolve, ticket.reject).finally(finish);
  }
}
