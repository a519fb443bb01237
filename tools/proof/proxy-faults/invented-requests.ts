import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Random } from '../../../bench/random.ts';
import type { LiveApi } from '../../../src/live/contract.ts';
import { ALIKE, hostileReport, markersIn } from './hostile-texts.ts';

export const PATHS: Readonly<Record<LiveApi, string>> = {
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/v1/responses',
  'openai-chat': '/v1/chat/completions',
  'gemini-api': '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
};

export const BODY_FAULTS = [
  'cut',
  'binary',
  'bomb',
  'broken gzip',
  'unknown encoding',
  'duplicate key',
  'inner duplicate keys',
  'lone surrogates',
  'deep',
  'no list',
  'empty',
] as const;
export type BodyFault = (typeof BODY_FAULTS)[number];

/** Bytes of a request as the agent sends them, and the same without their encoding. */
export interface InventedBody {
  readonly bytes: Buffer;
  readonly plain: Buffer;
  readonly encoding?: string;
}

interface Step {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly text: string;
  /** True if its provider answered with a summary of everything before it. */
  readonly isAfterSummary: boolean;
  /** True if a message of the system stands before it; one may come later. */
  readonly isAfterSystem: boolean;
  /** The program that made the call, and gets the result. */
  readonly caller: object | undefined;
}

const CLEARED = '[Old tool result content cleared]';
const SYSTEM = { role: 'system', content: 'A hook says this.' };

/** How an API says that a program made a call. */
const CALLERS: Partial<Record<LiveApi, object>> = {
  'anthropic-messages': { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' },
  'openai-responses': { type: 'program', caller_id: 'prog_1' },
};

const FILES = 3;
const LINES = 60;
const DEPTH = 60_000;
const BOMB = gzipSync(Buffer.alloc(48 * 1024 * 1024));

/** A session that reads and edits a few files in turn, so that results become stale and repeat, and asks other agents. */
export class InventedSession {
  readonly name: string;
  readonly api: LiveApi;
  /** Of each request: the texts that the provider got in place of results. It can get them after an agent that left. */
  readonly sent: (() => readonly string[])[] = [];
  readonly #random: Random;
  readonly #steps: Step[] = [];
  readonly #versions: number[] = Array.from({ length: FILES }, () => 0);
  /** True if the next request is this one again. */
  #isAgain = false;
  #letsClear = false;

  constructor(name: string, api: LiveApi, random: Random) {
    this.name = name;
    this.api = api;
    this.#random = random;
  }

  /**
   * Adds some calls and their results. Sometimes the agent goes back some calls first, clears an old result, lets its provider clear
   * results from now on, or a message of the system comes in the middle.
   */
  goOn(): void {
    const random = this.#random;
    if (this.#isAgain) {
      this.#isAgain = false;
      return;
    }
    if (random.next() < 0.1) this.#steps.length = Math.max(0, this.#steps.length - 2);
    if (random.next() < 0.1) this.#changeOld({ text: CLEARED });
    if (random.next() < 0.1) this.#changeOld({ isAfterSystem: true });
    if (random.next() < 0.05) this.#letsClear = !this.#letsClear;
    for (let left = 1 + random.integer(3); left > 0; left--) {
      const id = `${this.name}-call-${this.#steps.length}`;
      this.#steps.push({ id, ...this.#called(), isAfterSummary: random.next() < 0.05, isAfterSystem: false });
    }
  }

  #changeOld(changed: Partial<Step>): void {
    const at = this.#random.integer(Math.max(1, this.#steps.length - 1));
    if (this.#steps[at]) this.#steps[at] = { ...this.#steps[at], ...changed };
  }

  /** The provider refused the last request with a hint to clear context: the agent clears old results, and sends it again. */
  takeHint(): void {
    this.#isAgain = true;
    for (let at = 0; at < this.#steps.length - 2; at++)
      if (this.#random.next() < 0.7) this.#steps[at] = { ...this.#steps[at]!, text: CLEARED };
  }

  #called(): Pick<Step, 'name' | 'input' | 'text' | 'caller'> {
    const random = this.#random;
    const at = random.integer(FILES);
    const input = { file_path: `/src/part${at}.ts` };
    const caller = undefined;
    const kind = random.next();
    if (kind < 0.2) {
      const text = hostileReport(random, markersIn(this.sentTexts));
      return { name: 'Task', input: { prompt: 'report' }, text, caller };
    }
    if (kind < 0.4) {
      this.#versions[at]!++;
      const edit = { ...input, old_string: 'a', new_string: 'b' };
      return { name: 'Edit', input: edit, text: 'The file was changed.', caller };
    }
    const version = this.#versions[at]!;
    const lines = Array.from({ length: LINES }, (_, line) => `${line}: file ${at}, version ${version} "ü"`);
    const text = [...ALIKE[version % ALIKE.length]!, ...lines].join('\n');
    const program = random.next() < 0.2 ? CALLERS[this.api] : undefined;
    return { name: 'Read', input, text: program ? `${text}\nFor the program.` : text, caller: program };
  }

  get sentTexts(): ReadonlySet<string> {
    return new Set(this.sent.flatMap((texts) => texts()));
  }

  /** The texts that may be sent in another form. */
  get resultTexts(): ReadonlySet<string> {
    return new Set(this.#steps.flatMap(({ text, caller }) => (caller ? [] : text)));
  }

  body(fault: BodyFault | undefined): InventedBody {
    const text = JSON.stringify(this.#request(), null, this.#random.pick([0, 0, 2]));
    const plain = Buffer.from(text);
    const as = (value: string): InventedBody => ({ bytes: Buffer.from(value), plain: Buffer.from(value) });
    const opened = text.slice(0, text.lastIndexOf('}'));
    switch (fault) {
      case 'cut':
        return as(text.slice(0, this.#random.integer(text.length)));
      case 'binary': {
        const bytes = Buffer.from(this.#random.hex(2 * (1 + this.#random.integer(4_000))), 'hex');
        return { bytes, plain: bytes };
      }
      case 'bomb':
        return { bytes: BOMB, plain: BOMB, encoding: 'gzip' };
      case 'broken gzip': {
        const bytes = gzipSync(plain).subarray(0, -9);
        return { bytes, plain: bytes, encoding: 'gzip' };
      }
      case 'unknown encoding':
        return { bytes: plain, plain, encoding: 'snappy' };
      case 'duplicate key':
        return as(`${opened},"model":"another"}`);
      case 'inner duplicate keys':
        return as(`${opened},"other":{"a":12345678901234567890,"a":1e400,"b":-0.0}}`);
      case 'lone surrogates':
        return as(`${opened},"other":"\\ud800 \\uDC00 \\u0000"}`);
      case 'deep':
        return as(`${opened},"other":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`);
      case 'no list':
        return as(`{"model":"m","tools":[{}],"messages":{"0":1},"input":"x","contents":7}`);
      case 'empty':
        return as('');
      default: {
        const encoding = this.#random.pick([undefined, undefined, 'gzip', 'br'] as const);
        if (encoding === undefined) return { bytes: plain, plain };
        return { bytes: encoding === 'gzip' ? gzipSync(plain) : brotliCompressSync(plain), plain, encoding };
      }
    }
  }

  #request(): object {
    const tools = [{ name: 'Read' }, { name: 'Edit' }, { name: 'Task' }];
    const steps = this.#steps;
    const start = `Go on with ${this.name}.`;
    switch (this.api) {
      case 'anthropic-messages': {
        const messages = steps.flatMap(({ id, name, input, text, isAfterSummary, isAfterSystem, caller }) => [
          ...(isAfterSystem ? [SYSTEM] : []),
          {
            role: 'assistant',
            content: [
              ...(isAfterSummary ? [{ type: 'compaction', content: 'A summary.' }] : []),
              { type: 'tool_use', id, name, input, caller },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
        ]);
        return {
          model: 'claude-sonnet-4-5',
          max_tokens: 9,
          tools,
          ...(this.#letsClear && { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }),
          messages: [{ role: 'user', content: start }, ...messages],
        };
      }
      case 'openai-responses': {
        const input = steps.flatMap(({ id, name, input: given, text, isAfterSummary, isAfterSystem, caller }) => [
          ...(isAfterSystem ? [{ type: 'message', ...SYSTEM }] : []),
          ...(isAfterSummary ? [{ type: 'compaction', encrypted_content: 'sealed' }] : []),
          { type: 'function_call', call_id: id, name, arguments: JSON.stringify(given), caller },
          { type: 'function_call_output', call_id: id, output: text, caller },
        ]);
        return { model: 'gpt-5', tools, input: [{ role: 'user', content: start }, ...input] };
      }
      case 'openai-chat': {
        const messages = steps.flatMap(({ id, name, input, text, isAfterSystem }) => [
          ...(isAfterSystem ? [SYSTEM] : []),
          {
            role: 'assistant',
            tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
          },
          { role: 'tool', tool_call_id: id, content: text },
        ]);
        return { model: 'gpt-5', tools, messages: [{ role: 'user', content: start }, ...messages] };
      }
      case 'gemini-api': {
        const contents = steps.flatMap(({ name, input, text }) => [
          { role: 'model', parts: [{ functionCall: { name, args: input } }] },
          { role: 'user', parts: [{ functionResponse: { name, response: { output: text } } }] },
        ]);
        return { tools, contents: [{ role: 'user', parts: [{ text: start }] }, ...contents] };
      }
    }
  }
}
