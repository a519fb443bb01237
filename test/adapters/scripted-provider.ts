import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ApiName } from '../../src/formats/api-path.ts';
import type { ProviderRequest, Said } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

interface ScriptedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The calls of a conversation: four files are read, one is written, a command runs, and so again. */
export const STEPS: readonly ScriptedCall[] = Array.from({ length: 6 }, (_, round) => [
  { name: 'read', input: { path: '/p/a.ts' } },
  { name: 'read', input: { path: '/p/b.ts' } },
  { name: 'bash', input: { command: `make step-${round}` } },
  { name: 'write', input: { path: '/p/a.ts', content: `version ${round}` } },
  { name: 'read', input: { path: '/p/c.ts' } },
  { name: 'bash', input: { command: 'git status' } },
]).flat();

/** What the tool of a step returns. */
export function resultOf(step: number): string {
  const { name, input } = STEPS[step]!;
  if (name !== 'read') return `ok ${step}`;
  const version = input['path'] === '/p/a.ts' ? Math.floor(step / 6) : 0;
  return Array.from({ length: 160 }, (_, line) => `${line + 1}\tline ${line} of ${input['path']}, ${version}`).join(
    '\n',
  );
}

type Fields = Readonly<Record<string, unknown>>;
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .map((part) => String(part['text']))
        .join('');

/** The texts of the results in a request, in order. */
export function resultTexts(api: ApiName, body: unknown): string[] {
  const { messages, input, contents } = body as Fields;
  switch (api) {
    case 'anthropic-messages':
      return listOf(messages)
        .flatMap(({ content }) => listOf(content))
        .flatMap((block) => (block['type'] === 'tool_result' ? [textOf(block['content'])] : []));
    case 'openai-chat':
      return listOf(messages).flatMap(({ role, content }) => (role === 'tool' ? [textOf(content)] : []));
    case 'openai-responses':
      return listOf(input).flatMap(({ type, output }) => (type === 'function_call_output' ? [textOf(output)] : []));
    case 'gemini-api':
      return listOf(contents)
        .flatMap(({ parts }) => listOf(parts))
        .flatMap(({ functionResponse }) => {
          const response = (functionResponse as Fields | undefined)?.['response'] as Fields | undefined;
          return response ? [String(response['content'] ?? response['output'])] : [];
        });
  }
}

/** The strict provider on 127.0.0.1: calls the next tool of the steps, and keeps what it was sent. */
export class ScriptedProvider {
  readonly requests: ProviderRequest[] = [];
  readonly refusals: string[] = [];
  /** Milliseconds; moved by the test. */
  nowMs = 0;
  readonly #steps: readonly ScriptedCall[];
  readonly #server = providerServer(new StrictProvider(), {
    now: () => this.nowMs,
    script: ({ api, body }): Said => {
      const made = resultTexts(api, body).length;
      const step = this.#steps[made];
      return step ? { calls: [{ id: `call_${made}`, ...step }] } : { text: 'Done.' };
    },
    onRequest: (request, outcome) => {
      this.requests.push(request);
      if (outcome.status !== 200) this.refusals.push(outcome.message);
    },
  });

  constructor(steps = STEPS) {
    this.#steps = steps;
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
