import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../content/foreign-value.ts';
import { cutText } from '../content/lines/one-line.ts';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/** A longer line is answered with an error and not kept. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** Once the input has ended, requests are answered for so long. */
const LAST_ANSWERS_MS = 5_000;

/** True if an answer can name it: any other number would come back as another one, or the SDK would not answer. */
const isId = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value);

/** What is asked may be named in an error, which a model reads. */
const MAX_ERROR_CHARACTERS = 500;

function withShortWords<Failure extends { readonly error: { readonly message: string } }>(failure: Failure): Failure {
  return { ...failure, error: { ...failure.error, message: cutText(failure.error.message, MAX_ERROR_CHARACTERS) } };
}

/** What is wrong with a line of a client; undefined for a message of JSON-RPC. */
function faultOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Expected one message a line, got a batch.';
  if (!isRecord(value)) return 'Expected a JSON object.';
  const { jsonrpc, method, params, id } = value;
  if (jsonrpc !== '2.0') return 'Expected "jsonrpc": "2.0".';
  if (id !== undefined && !isId(id)) return 'Expected an "id" that is a string or an integer up to 2^53.';
  if (params !== undefined && !isRecord(params)) return 'Expected "params" that is an object.';
  if (typeof method === 'string' || (method === undefined && isId(id) && ('result' in value || 'error' in value)))
    return undefined;
  return 'Expected a "method".';
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
  #line: string[] = [];
  #lineLength = 0;
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
    const parts = text.split('\n');
    const last = parts.pop()!;
    for (const part of parts) {
      this.#add(part);
      this.#take();
    }
    this.#add(last);
  }

  #add(part: string): void {
    this.#lineLength += part.length;
    if (this.#lineLength <= LONGEST_LINE) this.#line.push(part);
    else this.#line = [];
  }

  #take(): void {
    const line = this.#line.join('').trim();
    const isTooLong = this.#lineLength > LONGEST_LINE;
    this.#line = [];
    this.#lineLength = 0;
    if (isTooLong) this.#refuse(INVALID_REQUEST, `Expected at most ${LONGEST_LINE} characters a line.`);
    else if (line !== '') this.#receive(line);
  }

  #receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(PARSE_ERROR, `Expected a line of JSON: ${(error as Error).message}`);
      return;
    }
    const fault = faultOf(value);
    const { id, method, params } = isRecord(value) ? value : {};
    if (fault !== undefined) {
      this.#refuse(INVALID_REQUEST, fault, isId(id) ? id : null);
      return;
    }
    if (id !== undefined && method !== undefined) this.#unanswered.add(id);
    if (method === 'notifications/cancelled' && isRecord(params)) this.#unanswered.delete(params['requestId']);
    this.onmessage?.(value as JSONRPCMessage);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write(withShortWords({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}
