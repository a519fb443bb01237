import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { GuardLog } from '../../src/guard/guard-log.ts';
import { livePruners } from '../../src/live/exchange/live-changes.ts';
import { GuardServer } from '../../src/proxy/guard/guard-server.ts';
import { type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-guard-server-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let proxy: RunningProxy | undefined;
afterEach(() => proxy?.close());

const FILE = Array.from({ length: 160 }, (_, at) => `${at + 1}\talpha line number ${at + 1} of the file`).join('\n');
const MARKER = '⟦density: 160 lines, 1 to 160, as shown above by Read /a.ts, from "alpha line number 1 of …" #1u9xtt1⟧';
const turn = (id: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a.ts' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: FILE }] },
];
const MESSAGES = [{ role: 'user', content: 'start' }, ...turn('t1'), ...turn('t2')];

/** A guard behind a proxy, after a conversation in which the marker was sent. */
async function stage(name: string) {
  const { change, copiedMarker } = livePruners({ workspaceRoot: '/' });
  const log = new GuardLog(path.join(folder, name));
  const troubles: string[] = [];
  const kinds: string[] = [];
  const guard = new GuardServer({
    agent: 'claude-code',
    copiedMarker,
    log,
    onGuarded: (kind) => kinds.push(kind),
    onTrouble: (what) => troubles.push(what),
  });
  proxy = await startProxy({ mounts: [], guard });
  for (const end of [3, 5]) {
    const body = { model: 'claude-sonnet-4-5', tools: [{}], messages: MESSAGES.slice(0, end) };
    const asked = { api: 'anthropic-messages' as const, upstream: 'http://a', isCount: false, headers: {} };
    await change({ ...asked, body: Buffer.from(JSON.stringify(body)) });
  }
  return { url: proxy.guardUrl, log, troubles, kinds };
}

const event = (input: object, more: object = {}) => ({
  hook_event_name: 'PreToolUse',
  session_id: 'fc5e04a8',
  cwd: folder,
  tool_name: 'Write',
  tool_input: input,
  ...more,
});
const ask = async (url: string, body: object | string): Promise<unknown> => {
  const answer = await fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.json();
};

describe('who asks before a tool runs', () => {
  test('gets a refusal for a marker, once; the same call then runs, and others do', async () => {
    const { url, log, troubles, kinds } = await stage('one');
    const write = event({ file_path: path.join(folder, 'b.ts'), content: `// ${MARKER}` });
    expect(await ask(url, write)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('as shown above by Read /a.ts'),
      },
    });
    expect(await ask(url, write)).toEqual({});
    expect(await ask(url, event({ file_path: '/b.ts', content: 'text' }))).toEqual({});
    expect(await ask(url, event({ file_path: '/b.ts', content: MARKER.replace('a.ts', 'z.ts') }))).toEqual({});
    const command = `cat > b.ts <<'EOF'\n${MARKER}\nEOF`;
    expect(await ask(url, event({ command }, { tool_name: 'Bash' }))).not.toEqual({});
    expect(kinds).toEqual(['refused', 'passed', 'refused']);
    expect(log.calls().map(({ kind }) => kind)).toEqual(kinds);
    expect(troubles).toEqual([]);
  });

  test('gets none where the file has the marker', async () => {
    const { url } = await stage('two');
    const file = path.join(folder, 'has-one.md');
    writeFileSync(file, `one\n${MARKER}\n`);
    expect(await ask(url, event({ file_path: 'has-one.md', content: `two\n${MARKER}\n` }))).toEqual({});
  });

  test('gets none for what is no event, and the trouble is said', async () => {
    const { url, troubles } = await stage('three');
    expect(await ask(url, `no event, density: ${MARKER}`)).toEqual({});
    expect(troubles).toEqual([expect.stringContaining('a call could not be looked at before it ran')]);
    expect(await ask(url, '')).toEqual({});
  });

  test('must know the token, and be no web page', async () => {
    const { url } = await stage('four');
    const statusOf = (headers: object, address = url): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request(address, { method: 'POST', headers: { ...headers } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on('error', reject).end('{}');
      });
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ origin: 'http://evil.example' })).toBe(403);
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({}, url.replace(/\/[^/]+\/$/, '/other/'))).toBe(404);
  });
});
