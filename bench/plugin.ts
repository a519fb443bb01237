import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../src/package-file.ts';
import { noteLines } from '../src/plugin/noted-lines.ts';
import { textLines } from '../src/strategies/high-density/repeated-lines/text-lines.ts';
import { type Row, rowOf } from './row.ts';

const ROUNDS = 41;
const LINES = 120;
const SESSION = 'fc5e04a8-d3a6-46a5-b511-ca0572110f47';
/** By the name of its rows: the size of a transcript. */
const SIZES = { plugin: 7_000_000, 'plugin.long': 60_000_000 } as const;

const textOf = (call: number | string): string =>
  Array.from({ length: LINES }, (_, at) => `const value${at} = ${at}; // an ordinary line of file ${call}`).join('\n');
const numbered = (text: string): string =>
  text
    .split('\n')
    .map((line, at) => `${at + 1}\t${line}`)
    .join('\n');
const matches = (round: number): string =>
  Array.from({ length: 200 }, (_, at) => `src/deep/file${at >> 3}.ts:${at}:export const needle${at} = ${round};`).join(
    '\n',
  );
const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

interface Home {
  readonly home: string;
  readonly transcript: string;
}

/** A home in which all reads of a session were noted, and its transcript: lines as Claude Code 2.1.330 writes them. */
async function makeHome(sizeBytes: number): Promise<Home> {
  const home = mkdtempSync(path.join(tmpdir(), 'density-bench-plugin-'));
  const transcript = path.join(home, 'session.jsonl');
  const noted = path.join(home, '.local/share/high-density/live/plugin', `${SESSION}.lines`);
  const file = openSync(transcript, 'w');
  for (let call = 0, bytes = 0; bytes < sizeBytes; call++) {
    const id = `toolu_01${String(call).padStart(22, '0')}`;
    const input = { file_path: `/app/${call}.ts` };
    const text = textOf(call);
    const common = { userType: 'external', cwd: '/app', sessionId: SESSION, version: '2.1.330', gitBranch: 'HEAD' };
    const use = { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] };
    const result = { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: numbered(text) }] };
    const lines = [
      {
        parentUuid: call === 0 ? null : uuid(2 * call),
        isSidechain: false,
        message: use,
        type: 'assistant',
        uuid: uuid(2 * call + 1),
        ...common,
      },
      {
        parentUuid: uuid(2 * call + 1),
        isSidechain: false,
        type: 'user',
        message: result,
        uuid: uuid(2 * call + 2),
        toolUseResult: { type: 'text', file: { content: text } },
        ...common,
      },
    ];
    bytes += writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await noteLines(
      noted,
      { type: 'tool_call', id, name: 'Read', parameters: input },
      textLines({}, () => [numbered(text)]),
    );
  }
  closeSync(file);
  return { home, transcript };
}

/** What Claude Code gives to a hook after a call. */
const eventOf = ({ home, transcript }: Home, id: string, call: object): string =>
  JSON.stringify({
    session_id: SESSION,
    transcript_path: transcript,
    cwd: home,
    hook_event_name: 'PostToolUse',
    tool_use_id: id,
    ...call,
  });

/** Asked for in other words each time: what is asked for again soon after is given whole. */
const read = (content: string, file: string): object => ({
  tool_name: 'Read',
  tool_input: { file_path: file },
  tool_response: {
    type: 'text',
    file: { filePath: file, content, numLines: LINES, startLine: 1, totalLines: LINES },
  },
});
const search = (round: number): object => ({
  tool_name: 'Bash',
  tool_input: { command: `grep -rn ${round} src` },
  tool_response: { stdout: matches(round), stderr: '', interrupted: false, isImage: false },
});

/** The kinds of results, and what the answer to each contains. */
const KINDS = {
  new: { call: (round: number) => read(textOf(`new ${round}`), `/app/new-${round}.ts`), answer: /^$/ },
  shaped: { call: search, answer: /src\/deep\/file0\.ts\\n0:/ },
  repeated: { call: (round: number) => read(textOf(0), `/app/copy-${round}.ts`), answer: /as shown above by Read/ },
} as const;

/**
 * A hook of the plugin as an agent starts it, over a bare `node -e 0` of the same round: a new read, a search that gets its form, and a
 * read whose lines the first call of the conversation shows.
 */
export async function run(): Promise<readonly Row[]> {
  const plugin = fileURLToPath(packageFile('plugins/density/density.mjs'));
  const rows = new Map<string, number[]>();
  const note = (id: string, ms: number): void => void rows.set(id, [...(rows.get(id) ?? []), ms]);
  for (const [name, sizeBytes] of Object.entries(SIZES)) {
    const place = await makeHome(sizeBytes);
    const clock = path.join(place.home, 'clock.cjs');
    const cost = (args: readonly string[], input = ''): { wall: number; cpu: number; out: string } => {
      const startedAt = performance.now();
      const { status, output } = spawnSync(process.execPath, ['-r', clock, ...args], {
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
        env: { PATH: process.env['PATH'], HOME: place.home },
      });
      if (status !== 0) throw new Error(`The process ended with ${status}.`);
      return { wall: performance.now() - startedAt, cpu: Number(output[3]), out: output[1] ?? '' };
    };
    try {
      writeFileSync(
        clock,
        "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeSync(3, String((user + system) / 1000)); });",
      );
      for (let round = 0; round < ROUNDS; round++) {
        const bare = cost(['-e', '0']);
        for (const [kind, { call, answer }] of Object.entries(KINDS)) {
          const { wall, cpu, out } = cost([plugin, 'hook'], eventOf(place, `${kind}-${round}`, call(round)));
          if (!answer.test(out)) throw new Error(`Expected another answer to a ${kind} result, got ${out}`);
          note(`${name}.${kind}`, wall - bare.wall);
          note(`${name}.${kind}.cpu`, cpu - bare.cpu);
        }
      }
    } finally {
      rmSync(place.home, { recursive: true, force: true });
    }
  }
  return [...rows].map(([id, values]) => rowOf(id, 'ms', values));
}
