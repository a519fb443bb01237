import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GuardLog } from '../../../src/guard/guard-log.ts';
import { livePruners } from '../../../src/live/exchange/live-changes.ts';
import { GuardServer } from '../../../src/proxy/guard/guard-server.ts';
import { startProxy } from '../../../src/proxy/proxy.ts';
import { exchange } from './exchange.ts';
import { type FaultyUpstream, PLAN_HEADER, type Plan } from './faulty-upstream.ts';
import { LONGEST_MS, stopwatch } from './stopwatch.ts';

const WRITER_SECONDS = 3;
const MARKER = /⟦density: [^⟧]*⟧/;
const FILE = Array.from({ length: 160 }, (_, at) => `alpha line number ${at + 1} of the file`).join('\n');
const read = (id: string): readonly object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a.ts' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: FILE }] },
];
const MESSAGES = [{ role: 'user', content: 'start' }, ...read('t1'), ...read('t2')];

/** Calls that would write a marker that was sent to a pipe or a device. Returns what is wrong: each has to be refused soon. */
export async function nameDevices(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'named-devices-'));
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const problems: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const { change, copiedMarker } = livePruners({ workspaceRoot: '/' });
  const guard = new GuardServer({
    agent: 'claude-code',
    copiedMarker,
    log: new GuardLog(folder),
    onGuarded: () => {},
    onTrouble: (what) => problems.push(what),
  });
  const proxy = await startProxy({ mounts: [{ path: '', upstream: base }], token: 'token', change, guard });
  let marker: string | undefined;
  for (const end of [3, 5]) {
    const body = { model: 'claude-sonnet-4-5', max_tokens: 9, tools: [{}], messages: MESSAGES.slice(0, end) };
    const bytes = Buffer.from(JSON.stringify(body));
    const plan: Plan = {
      fault: undefined,
      original: bytes,
      answer: Buffer.from('data: {}\n\n'),
      isNew: () => false,
      seen: [],
    };
    upstream.plans.set('devices', plan);
    const headers = { 'x-session-id': 'devices', [PLAN_HEADER]: 'devices' };
    await exchange({ url: `${proxy.url}/v1/messages`, agent, headers, body: bytes });
    const texts = JSON.stringify(plan.seen.map((sent) => JSON.parse(sent.toString())));
    marker = MARKER.exec(texts)?.[0].replaceAll('\\"', '"');
  }
  if (marker === undefined) problems.push('no marker was sent, so that no call can copy it');
  const content = `first\n${marker}\nlast`;
  const writes = [pipe, '/dev/null', folder].map((file) => ({
    tool_name: 'Write',
    tool_input: { file_path: file, content },
  }));
  const command = `cat > ${pipe} <<'EOF'\n${content}\nEOF`;
  const calls = [...writes, { tool_name: 'Bash', tool_input: { command } }];
  // Who waits for a writer holds this thread, so that only another process can end that.
  const writer = spawn('sh', ['-c', `while sleep ${WRITER_SECONDS}; do : <> "$0"; done`, pipe], { stdio: 'ignore' });
  for (const call of calls) {
    const event = { hook_event_name: 'PreToolUse', session_id: 'devices', cwd: folder, ...call };
    const elapsed = stopwatch();
    const got = await exchange({ url: proxy.guardUrl, agent, headers: {}, body: Buffer.from(JSON.stringify(event)) });
    const { wallMs } = elapsed();
    const what = `a call that names no file: ${JSON.stringify(call.tool_input)}`;
    if (wallMs > LONGEST_MS) problems.push(`took ${Math.round(wallMs)} ms for ${what}`);
    if (!got?.body.includes('"deny"')) problems.push(`the guard did not refuse ${what}`);
  }
  writer.kill();
  await once(writer, 'close');
  agent.destroy();
  await proxy.close();
  upstream.plans.delete('devices');
  rmSync(folder, { recursive: true, force: true });
  return problems;
}
