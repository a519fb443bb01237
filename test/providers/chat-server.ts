import { type Answer, Loopback, stream } from './loopback.ts';
import { WIRES, type WireCall } from './wires.ts';

/** The model's answer: text, or text and a call. */
export type Reply = string | Omit<WireCall, 'id'>;

interface Message {
  readonly role: string;
  readonly content: unknown;
}

const textOf = ({ content }: Message): string => (typeof content === 'string' ? content : JSON.stringify(content));

/** A server that speaks Chat Completions and answers the newest message with `reply`. */
export class ChatServer {
  readonly loopback = new Loopback();
  url = '';
  /** Returns the answer to stream; `undefined` keeps the request open and silent. */
  reply: (newest: string, role: string) => Reply | undefined = () => 'Yes.';
  #calls = 0;

  async start(): Promise<void> {
    this.url = `${await this.loopback.start()}/v1`;
    this.loopback.willAnswer((response, closed) => this.#answer()(response, closed));
  }

  async stop(): Promise<void> {
    await this.loopback.stop();
  }

  /** The arguments of a chat with this server. */
  get args(): string[] {
    return ['--provider', 'openai-compatible', '--base-url', this.url, '--model', 'gpt-5'];
  }

  /** Messages of the newest request. */
  get messages(): readonly Message[] {
    const body = this.loopback.requests.at(-1)?.body as { messages: Message[] } | undefined;
    return body?.messages ?? [];
  }

  #answer(): Answer {
    const newest = this.messages.at(-1)!;
    const reply = this.reply(textOf(newest), newest.role);
    const wire = WIRES['openai-compatible']!;
    if (reply === undefined)
      return (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (typeof reply === 'string') return stream(wire.events({ texts: reply.split(/(?<= )/), ending: 'stop' }));
    this.#calls++;
    return stream(wire.callEvents({ ...reply, id: `call_${this.#calls}` }));
  }
}
