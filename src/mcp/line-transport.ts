import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isRecord } from '../content/foreign-value.ts';
import { cutText } from '../content/lines/one-line.ts';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** A longer line is answered with an error and not kept. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** Once the input has ended, requests are answered for so long. */
const LAST_ANSWERS_MS = 5_000;

/** An answer can name it: any other number would come back as another one, or the SDK would not answer. */
const ID = z.union([z.string(), z.int()], 'Expected an "id" that is a string or an integer up to 2^53.');

/** A message of JSON-RPC; the first issue says what is wrong with a line of a client. */
const MESSAGE = z
  .looseObject(
    {
      jsonrpc: z.literal('2.0', 'Expected "jsonrpc": "2.0".'),
      id: ID.optional(),
      params: z.record(z.string(), z.unknown(), 'Expected "params" that is an object.').optional(),
      method: z.string('Expected a "method".').optional(),
    },
    {
      error: ({ input }) =>
        Array.isArray(input) ? 'Expected one message a line, got a batch.' : 'Expected a JSON object.',
    },
  )
  .refine(
    ({ method, id, ...more }) => method !== undefined || (id !== undefined && ('result' in more || 'error' in more)),
    'Expected a "method".',
  );

/** What is asked may be named in an error, which a model reads. */
const MAX_ERROR_CHARACTERS = 500;

function withShortWords<Failure extends { readonly error: { readonly message: string } }>(failure: Failure): Failure {
  return { ...failure, error: { ...failure.error, message: cutText(failure.error.message, MAX_ERROR_CHARACTERS) } };
}

/**
 * The stdio transport of the Model Context Protocol: one JSON-RPC message a line. Unlike that of the SDK it answers a line that is no
 * message with an error and goes on, and answers what was asked before the input ended.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export class LineTransport implements Transport {
  declare onclose: Transport['onclose'];
  declare onerror: Transport['onerror'];
  declare onmessage: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #unanswered = new Set<unknown>();
  #line = '';
  #hasEnded = false;
  #lastAnswers: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#output.on('error', () => void this.close());
    this.#input.setEncoding('utf8');
    this.#input.on('data', (text: string) => this.#read(text));
    this.#input.on('error', () => this.#end());
    this.#input.on('end', () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write('error' in message ? withShortWords(message) : message);
    if ('id' in message && !('method' in message)) this.#unanswered.delete(message.id);
    if (this.#hasEnded && this.#unanswered.size === 0) await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#lastAnswers);
    this.#input.destroy();
    this.onclose?.();
  }

  #write(message: object): void {
    if (!this.#isClosed) this.#output.write(`${JSON.stringify(message)}\n`);
  }

  #end(): void {
    this.#take();
    this.#hasEnded = true;
    if (this.#unanswered.size === 0) void this.close();
    else this.#lastAnswers = setTimeout(() => void this.close(), LAST_ANSWERS_MS);
  }

  #read(text: string): void {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) this.#take();
      // Of a line that is too long, no more is kept.
      if (this.#line.length <= LONGEST_LINE) this.#line += part;
    }
  }

  #take(): void {
    const line = this.#line;
    this.#line = '';
    if (line.length > LONGEST_LINE)
      this.#refuse(INVALID_REQUEST, `Expected at most ${LONGEST_LINE} characters a line.`);
    else if (line.trim() !== '') this.#receive(line.trim());
  }

  #receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(PARSE_ERROR, `Expected a line of JSON: ${(error as Error).message}`);
      return;
    }
    const { data: message, error } = MESSAGE.safeParse(value);
    if (message === undefined) {
      const { data: id = null } = ID.safeParse(isRecord(value) ? value['id'] : undefined);
      this.#refuse(INVALID_REQUEST, error.issues[0]!.message, id);
      return;
    }
    const { id, method, params } = message;
    if (id !== undefined && method !== undefined) this.#unanswered.add(id);
    if (method === 'notifications/cancelled') this.#unanswered.delete(params?.['requestId']);
    this.onmessage?.(value as JSONRPCMessage);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write(withShortWords({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}
