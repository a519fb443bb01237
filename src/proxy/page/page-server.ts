import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { livePage, liveParts, PAGE_POLICY, textPage } from './live-page.ts';
import type { LiveState } from './live-state.ts';

const TOKEN_BYTES = 16;
/** Changes within this time are sent together. */
const SETTLE_MS = 200;
/** A comment on an idle stream, so that a lost browser is noticed. */
const BEAT_MS = 15_000;
const MAX_READERS = 20;

interface PageOptions {
  /** A random one when absent. */
  readonly token?: string;
  readonly state: () => LiveState;
  /** True if the archive has texts of the reader only: then also those are shown that the page does not list any more. */
  readonly showsUnlisted?: boolean;
  /** A removed text that the page lists, without secrets; undefined if it is not in the archive any more. Rejects if the archive cannot be read. */
  readonly textOf: (hash: string) => Promise<string | undefined>;
}

/** The page of a running proxy, below a path token of its own. It reads, and answers only GET. */
export class PageServer {
  readonly token: string;
  readonly #options: PageOptions;
  /** Names the parts that a reader has, also to the page of a later proxy at this address. */
  readonly #run = randomBytes(6).toString('hex');
  #version = 0;
  #parts: Readonly<Record<string, string>> = {};
  readonly #readers = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(options: PageOptions) {
    this.token = options.token ?? randomBytes(TOKEN_BYTES).toString('base64url');
    this.#options = options;
  }

  /** The number of browsers that follow the page. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Answers a request whose `path` is without the token. Its `Host` and `Origin` were looked at before. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const [pathname = ''] = path.split('?');
    const hash = /^\/text\/([0-9a-f]{4,64})$/.exec(pathname)?.[1];
    if (request.method !== 'GET' && request.method !== 'HEAD') send(response, 405, 'Only GET is answered here.');
    else if (pathname === '/') send(response, 200, livePage(this.#options.state(), Date.now()), 'text/html');
    else if (pathname === '/events') this.#listen(request, response);
    else if (hash !== undefined) await this.#sendText(request, response, hash);
    else send(response, 404, 'Nothing is here.');
  }

  /** Call it when the numbers changed: those who read the page get the parts that differ. */
  changed(): void {
    if (this.#readers.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#publish();
    }, SETTLE_MS).unref();
  }

  /** Tells those who read the page that this is the end. */
  end(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    this.#publish();
    for (const reader of this.#readers) reader.end('event: end\ndata:\n\n');
    this.#readers.clear();
  }

  #refresh(): Readonly<Record<string, string>> {
    const parts = liveParts(this.#options.state());
    const differing = Object.fromEntries(Object.entries(parts).filter(([id, text]) => this.#parts[id] !== text));
    if (Object.keys(differing).length > 0) this.#version++;
    this.#parts = parts;
    return differing;
  }

  #publish(): void {
    const differing = this.#refresh();
    if (Object.keys(differing).length === 0) return;
    for (const reader of this.#readers) {
      // A reader that takes nothing any more gets the whole state when it is back.
      if (reader.writableNeedDrain) this.#drop(reader);
      else reader.write(this.#event(differing));
    }
  }

  #event(parts: Readonly<Record<string, string>>): string {
    return `id: ${this.#run}-${this.#version}\nevent: parts\ndata: ${JSON.stringify(parts)}\n\n`;
  }

  #listen({ headers }: IncomingMessage, response: ServerResponse): void {
    if (this.#readers.size >= MAX_READERS) {
      send(response, 503, 'The page is open too often.');
      return;
    }
    response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/event-stream' });
    // Before this reader is among the others: they get what differs, it gets everything.
    this.#publish();
    const hasAll = headers['last-event-id'] === `${this.#run}-${this.#version}`;
    response.write(`retry: 2000\n${hasAll ? ': nothing new\n\n' : `\n${this.#event(this.#parts)}`}`);
    this.#readers.add(response);
    response.once('close', () => this.#drop(response));
    this.#beat ??= setInterval(() => {
      for (const reader of this.#readers) reader.write(': still here\n\n');
    }, BEAT_MS).unref();
  }

  #drop(reader: ServerResponse): void {
    this.#readers.delete(reader);
    if (!reader.writableEnded) reader.destroy();
  }

  async #sendText({ headers }: IncomingMessage, response: ServerResponse, hash: string): Promise<void> {
    const { state, textOf, showsUnlisted = false } = this.#options;
    const isShown = showsUnlisted || state().numbers.removed.some((row) => row.hash === hash);
    let text: string | undefined;
    try {
      text = isShown ? await textOf(hash) : undefined;
    } catch {
      return send(response, 503, 'The archive cannot be read now. Try again.');
    }
    if (text === undefined) send(response, 404, 'The archive does not have this text any more.');
    else if (headers.accept === 'text/plain') send(response, 200, text);
    else send(response, 200, textPage(hash, text), 'text/html');
  }
}

/** No other page may frame, read or keep it, and its address, which is secret, is not passed on. */
const SAFE_HEADERS = {
  'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

function send(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { ...SAFE_HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
}
