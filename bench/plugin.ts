import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../src/package-file.ts';
import { type Row, rowOf } from './row.ts';

const ROUNDS = 41;
const CALLS = 1_000;
const TEXT = Array.from({ length: 120 }, (_, at) => `const value${at} = ${at}; // an ordinary line of a file`).join(
  '\n',
);
const SESSION = 'fc5e04a8-d3a6-46a5-b511-ca0572110f47';

/** A home in which a session of a thousand calls was noted, and its transcript of 6 MB. */
function makeHome(): { home: string; transcript: string } {
  const home = mkdtempSync(path.join(tmpdir(), 'density-bench-plugin-'));
  const transcript = path.join(home, 'session.jsonl');
  const lines = Array.from({ length: CALLS }, (_, at) => {
    const uuid = `line-${at}`;
    const content = [{ type: 'tool_use', id: `toolu_${at}`, name: 'Read', input: { file_path: `/app/${at}.ts` } }];
    return JSON.stringify({
      uuid,
      parentUuid: at === 0 ? null : `line-${at - 1}`,
      isSidechain: false,
      message: { content },
      text: TEXT,
    });
  });
  writeFileSync(transcript, `${lines.join('\n')}\n`);
  const folder = path.join(home, '.local/share/high-density/live/plugin');
  mkdirSync(folder, { recursive: true });
  const noted = Array.from({ length: CALLS }, (_, at) =>
    JSON.stringify({ hash: `${at}`.padStart(64, '0'), callId: `toolu_${at}`, what: `Read /app/${at}.ts` }),
  );
  writeFileSync(path.join(folder, `${SESSION}.jsonl`), `${noted.join('\n')}\n`);
  return { home, transcript };
}

/** A hook of the plugin as an agent starts it, over a bare `node -e 0` of the same round: a new result, and a repeated one. */
export function run(): Promise<readonly Row[]> {
  const { home, transcript } = makeHome();
  const plugin = fileURLToPath(packageFile('plugins/density/density.mjs'));
  const event = (callId: string, content: string): string =>
    JSON.stringify({
      ...{
        session_id: SESSION,
        transcript_path: transcript,
        cwd: home,
        hook_event_name: 'PostToolUse',
        tool_name: 'Read',
      },
      ...{ tool_input: { file_path: '/app/a.ts' }, tool_use_id: callId },
      tool_response: {
        type: 'text',
        file: { filePath: '/app/a.ts', content, numLines: 120, startLine: 1, totalLines: 120 },
      },
    });
  const clock = path.join(home, 'clock.cjs');
  const cost = (args: readonly string[], input = ''): { wall: number; cpu: number; out: string } => {
    const startedAt = performance.now();
    const { status, output } = spawnSync(process.execPath, ['-r', clock, ...args], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home },
    });
    if (status !== 0) throw new Error(`The process ended with ${status}.`);
    return { wall: performance.now() - startedAt, cpu: Number(output[3]), out: output[1] ?? '' };
  };
  const rows = new Map<string, number[]>();
  const note = (id: string, ms: number): void => void rows.set(id, [...(rows.get(id) ?? []), ms]);
  try {
    writeFileSync(
      clock,
      "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeSync(3, String((user + system) / 1000)); });",
    );
    // The first result of the conversation: all repeats refer to it, from a thousand calls later.
    cost([plugin, 'hook'], event('toolu_0', TEXT));
    for (let round = 0; round < ROUNDS; round++) {
      const bare = cost(['-e', '0']);
      const first = cost([plugin, 'hook'], event(`new-${round}`, `${round}\n${TEXT}`));
      const second = cost([plugin, 'hook'], event(`again-${round}`, TEXT));
      if (first.out !== '' || !second.out.includes('recall')) throw new Error('Expected one repeated result.');
      for (const [id, { wall, cpu }] of Object.entries({ new: first, repeated: second })) {
        note(`plugin.${id}`, wall - bare.wall);
        note(`plugin.${id}.cpu`, cpu - bare.cpu);
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return Promise.resolve([...rows].map(([id, values]) => rowOf(id, 'ms', values)));
}
