import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Random } from '../../../bench/random.ts';
import { liveChanges } from '../../../src/live/exchange/live-changes.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { startProxy } from '../../../src/proxy/proxy.ts';
import { exchange } from './exchange.ts';
import { type FaultyUpstream, PLAN_HEADER, type Plan } from './faulty-upstream.ts';

const REQUESTS = 24;
const NAME = 'two proxies';
const END = ']}';

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** The call of a request and its result: a run of tests, or a read of one of a few files, which change now and then. */
function messagesOf(at: number): readonly object[] {
  const id = `t${at}`;
  const file = at % 3;
  const [name, input, content] =
    at % 2 === 1
      ? [
          'Bash',
          { command: 'npm test' },
          `${lines(60, (n) => `✓ test ${n} of run ${at} passes well`)}\nTests: 60 passed`,
        ]
      : [
          'Read',
          { file_path: `/w/${file}.ts` },
          lines(120, (n) => `export const v${n} = ${file} + ${n} * ${at >> 3};`),
        ];
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}

/**
 * A conversation that only grows, through two proxies on one folder, which get its requests one by one and at once. Returns what is
 * wrong: each request that the provider sees has to begin as the one before it, byte by byte.
 */
export async function askTwoProxies(upstream: FaultyUpstream, base: URL, random: Random): Promise<readonly string[]> {
  const problems: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'two-proxies-'));
  const agent = new Agent({ keepAlive: true });
  const start = () => {
    const change = liveChanges({ workspaceRoot: '/', store: fileStore(folder), archive: async () => {} });
    return startProxy({ mounts: [{ path: '', upstream: base }], token: 'token', change });
  };
  const proxies = [await start(), await start()];
  const messages: object[] = [{ role: 'user', content: 'start' }];
  let before = '';
  let changed = 0;
  for (let at = 0; at < REQUESTS; at++) {
    messages.push(...messagesOf(at));
    const body = Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages }));
    const answer = Buffer.from('data: {}\n\n');
    const plan: Plan = { fault: undefined, original: body, answer, isNew: () => false, seen: [] };
    upstream.plans.set('two', plan);
    const asked = random.next() < 0.3 ? proxies : [random.pick(proxies)];
    const headers = { 'x-session-id': NAME, [PLAN_HEADER]: 'two' };
    await Promise.all(asked.map(({ url }) => exchange({ url: `${url}/v1/messages`, agent, headers, body })));
    const seen = plan.seen.map((sent) => sent.toString());
    if (seen.length !== asked.length)
      problems.push(`${NAME}, request ${at}: the provider was asked ${seen.length} times`);
    if (seen.some((sent) => sent !== seen[0])) problems.push(`${NAME}, request ${at}: other bytes at once`);
    if (seen.some((sent) => !sent.startsWith(before))) problems.push(`${NAME}, request ${at}: other bytes than before`);
    if (!plan.seen[0]?.equals(body)) changed++;
    before = seen.at(-1)?.slice(0, -END.length) ?? before;
  }
  if (changed === 0) problems.push(`${NAME} changed nothing`);
  upstream.plans.delete('two');
  agent.destroy();
  for (const proxy of proxies) await proxy.close();
  rmSync(folder, { recursive: true, force: true });
  return problems;
}
