import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import { BINDING_BETA } from '../../src/strict-provider/apis/bound-thinking.ts';
import type { Accepted, ProviderRequest, Refused, Said } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const MINUTE_MS = 60_000;
const FILE = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the file with words enough for a note`).join(
  '\n',
);
const FIRST = 'claude-opus-5-5';
const OTHER = 'claude-sonnet-5-5';

interface Message {
  readonly role: string;
  readonly content: readonly {
    readonly type: string;
    readonly id?: string;
    readonly name?: string;
    readonly text?: string;
  }[];
}

interface Served {
  readonly request: ProviderRequest;
  readonly outcome: Accepted | Refused;
}

/** Plays turns through a server, each by the model of that index; what was served. `isPruned`: with the proxy before it. */
async function play(models: readonly string[], isPruned: boolean, headers: Record<string, string>): Promise<Served[]> {
  let ms = Date.UTC(2026, 10, 28);
  let turn = 0;
  const served: Served[] = [];
  const script = (): Said => ({
    thinking: `thinks about turn ${turn}`,
    calls: [turn % 4 === 3 ? write(turn) : { id: `t${turn}`, name: 'Read', input: { file_path: '/b.ts' } }],
  });
  const server = providerServer(new StrictProvider(), {
    now: () => ms,
    script,
    onRequest: (request, outcome) => served.push({ request, outcome }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const change = liveChanges({ vocabulary: claudeCode, workspaceRoot: '/', archive: async () => {}, now: () => ms });
  const proxy = await startProxy({ mounts: [{ path: '', upstream }], token: 't', ...(isPruned && { change }) });
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Fix it.' }] }];
  for (const model of models) {
    ms += MINUTE_MS;
    const tools = ['Read', 'Write'].map((name) => ({ name, input_schema: { type: 'object' } }));
    const body = JSON.stringify({ model, max_tokens: 9_000, thinking: { type: 'adaptive' }, tools, messages });
    const response = await fetch(`${proxy.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-session-id': 's', ...headers },
      body,
    });
    const { content } = (await response.json()) as Message;
    expect(response.status).toBe(200);
    const [{ id, name } = {}] = content.filter(({ type }) => type === 'tool_use');
    const result = { type: 'tool_result', tool_use_id: id, content: name === 'Read' ? FILE : 'written' };
    messages.push({ role: 'assistant', content }, { role: 'user', content: [result] });
    turn++;
  }
  await proxy.close();
  server.close();
  server.closeAllConnections();
  return served;
}

const write = (turn: number) => ({ id: `t${turn}`, name: 'Write', input: { file_path: '/c.ts', content: `${turn}` } });
const droppedOf = ({ outcome }: Served): unknown => outcome.status === 200 && outcome.dropped;
const resultsOf = ({ request }: Served): string[] =>
  (request.body as { messages: Message[] }).messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? JSON.stringify(block) : [])),
  );

test.each([{}, { 'anthropic-beta': BINDING_BETA }])(
  'a change of model loses the thinking that it loses without pruning, and changes no form (%j)',
  async (headers) => {
    const models = [FIRST, FIRST, FIRST, OTHER, OTHER, OTHER, FIRST, FIRST];
    const original = await play(models, false, headers);
    const pruned = await play(models, true, headers);
    expect(pruned).toHaveLength(models.length);
    expect(pruned.map(droppedOf)).toEqual(original.map(droppedOf));
    const reasons = JSON.stringify(pruned.map(droppedOf));
    expect(reasons).toContain('model_binding_mismatch');
    expect(reasons).not.toContain('prefix_binding_mismatch');
    const results = pruned.map(resultsOf);
    for (const [at, sent] of results.entries())
      expect(sent.slice(0, results[at - 1]?.length ?? 0)).toEqual(results[at - 1] ?? []);
    expect(results.at(-1)!.filter((text) => text.includes('shown above')).length).toBeGreaterThan(1);
  },
);
