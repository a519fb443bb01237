import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { formatNamed } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { AGENTS, type Agent, makeHome } from './agents.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DENSITY = path.join(ROOT, 'dist/density.js');
const MODEL = path.resolve(ROOT, '../shared/agents/scripted-model.mjs');
const PROMPT = 'Change line two of alpha.txt.';
/** Only the file as it was before the edit contains it: it is read once, and stale after that. */
const STALE = 'line two\\\\n';
const SAID = 'Line two is changed, says the scripted model.';
const STEPS = [
  { tool: 'read', file: 'alpha.txt' },
  { tool: 'edit', file: 'alpha.txt', old: 'line two', new: 'line 2 changed' },
  { tool: 'read', file: 'alpha.txt' },
  { tool: 'shell', command: 'wc -l alpha.txt' },
  { tool: 'read', file: 'alpha.txt' },
  { say: SAID },
];
const run = promisify(execFile);

interface Request {
  readonly url: string;
  readonly body: unknown;
}

/** One agent in a home folder of its own, and the model that it asks. */
class Stage {
  readonly home: string;
  readonly #agent: Agent;
  readonly #program: string;
  readonly #port: number;

  constructor(home: string, agent: Agent, { program, port }: { program: string; port: number }) {
    this.home = home;
    this.#agent = agent;
    this.#program = program;
    this.#port = port;
  }

  #environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.home, ...more };
  }

  /** The output of the agent, and the requests that it sent. */
  async agent(args: (port: number) => readonly string[]): Promise<{ requests: Request[]; out: string }> {
    const log = path.join(this.home, 'requests.jsonl');
    rmSync(log, { force: true });
    const work = path.join(this.home, 'work');
    const env = this.#environment(this.#agent.environment(this.#port));
    return this.#withModel(log, async () => {
      const started = run(this.#program, args(this.#port), { cwd: work, env, timeout: 150_000 });
      started.child.stdin?.end();
      const { stdout } = await started.catch((error: { stdout?: string }) => ({ stdout: `failed: ${error.stdout}` }));
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
      return { requests: lines.map((line) => JSON.parse(line) as Request), out: stdout };
    });
  }

  async #withModel<Result>(log: string, use: () => Promise<Result>): Promise<Result> {
    const script = path.join(this.home, 'steps.json');
    writeFileSync(script, JSON.stringify(STEPS));
    const places = ['--workspace', path.join(this.home, 'work'), '--log', log, '--script', script];
    const model = spawn(process.execPath, [MODEL, '--port', `${this.#port}`, ...places]);
    try {
      await new Promise((resolve) => model.stdout.once('data', resolve));
      return await use();
    } finally {
      model.kill();
    }
  }

  /** As `density`, with a model: the scripted model, which says one sentence where a summary is asked for. */
  summarizing(...args: readonly string[]): Promise<string> {
    const log = path.join(this.home, 'summaries.jsonl');
    const model = ['--model', 'openai-compatible/scripted', '--base-url', `http://127.0.0.1:${this.#port}/v1`];
    return this.#withModel(log, () => this.density(...args, ...model));
  }

  async density(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [DENSITY, ...args], { env: this.#environment(), cwd: this.home });
    return stdout;
  }

  /** The newest session that `density sessions` lists, unchanged for a while. */
  async session(): Promise<string> {
    const [line = '{}'] = (await this.density('sessions', '--json')).split('\n');
    const { path: file } = JSON.parse(line) as { path: string };
    if (existsSync(file)) utimesSync(file, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
    return file;
  }
}

/** Bytes of the first request that asks with this prompt, and whether it contains the stale read. */
function nextRequest(requests: readonly Request[]): { bytes: number; isStale: boolean } | undefined {
  const texts = requests.map(({ body }) => JSON.stringify(body)).filter((text) => text.includes('Go on.'));
  // A title is asked for without tools.
  const text = texts.find((candidate) => candidate.includes('"tools":[{'));
  return text === undefined
    ? undefined
    : { bytes: Buffer.byteLength(text), isStale: JSON.stringify(text).includes(STALE) };
}

const idIn = (file: string, format: string): string =>
  formatNamed(format).read(linesOf(() => [readFileSync(file)])).id ?? '';

/** The session that `density optimize --start` prunes, where its agent finds it: the words of the command that it prints are followed. */
async function resumed(stage: Stage, agent: Agent, old: string): Promise<string> {
  // The database changed a moment ago.
  if (!agent.place) await setTimeout(6_000);
  await stage.density('optimize', old, '--install');
  // It names the copy that was written.
  const report = await stage.density('optimize', old, '--start', '--install', '--dry-run', '--json');
  const { output, resume } = JSON.parse(report) as { output: string | null; resume: string | null };
  if (output === null || resume === null) throw new Error(`Expected a pruned session, got ${report}`);
  if (resume.includes('opencode import')) await stage.agent(() => ['import', output]);
  return resume.split(' ').at(-1)!;
}

/** Writes a session with a command of `density`, puts it where the agent finds it, and returns its id. */
async function written(stage: Stage, agent: Agent, { command, source }: { command: string; source: string }) {
  const old = await stage.session();
  const out = path.join(stage.home, 'out');
  if (command === 'start') return resumed(stage, agent, old);
  if (command === 'convert') await stage.density('convert', source, '--to', agent.format, '-o', out);
  else {
    const place = agent.place ? ['--install'] : ['-o', out];
    const args = ['optimize', old, '--json', '--shell-writes', 'on', ...place];
    const report =
      command === 'strategy'
        ? await stage.summarizing(...args, '--strategy', 'middle-out')
        : await stage.density(...args);
    const { output } = JSON.parse(report) as { output: string };
    if (agent.place) return idIn(output, agent.format);
  }
  const id = idIn(out, agent.format);
  if (agent.place) renameSync(out, agent.place(old, id));
  else await stage.agent(() => ['import', out]);
  return id;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** `optimize` alone, with `--strategy` and as `--start` writes it; `convert`. */
const COMMANDS = ['optimize', 'strategy', 'start', 'convert'] as const;

/** Those whose sessions `density optimize --start` writes. */
const RESUMED: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini', 'pi', 'opencode']);

/**
 * Runs each agent so that it writes a session with a stale read, writes that again with each command, resumes it with the
 * agent's own command, and reads the next request. Parameters: folders in which the agents are installed.
 */
export async function prove(folders: readonly string[]): Promise<boolean> {
  const programOf = ({ program }: Agent): string | undefined =>
    folders.map((folder) => path.resolve(folder, 'node_modules/.bin', program)).find((file) => existsSync(file));
  const agents = AGENTS.filter(({ program }) => RESUMED.has(program));
  const present = agents.filter((agent) => programOf(agent) !== undefined);
  const absent = agents.filter((agent) => !present.includes(agent));
  if (!existsSync(MODEL)) console.log(`The scripted model is absent (${MODEL}): no agent can be run.`);
  if (absent.length > 0) {
    const names = absent.map((agent) => agent.package).join(' ');
    console.log(`Absent: ${absent.map(({ name }) => name).join(', ')}. Install them outside the checkout:`);
    console.log(`  npm install --prefix <folder> --no-audit --no-fund ${names}; npm run proof -- resume <folder>`);
  }
  if (present.length === 0 || !existsSync(MODEL)) return false;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'density-agents-'));
  let holds = true;
  const stages: { agent: Agent; stage: Stage }[] = [];
  for (const agent of present) {
    const program = programOf(agent) as string;
    const port = await freePort();
    const stage = new Stage(path.join(folder, agent.program), agent, { program, port });
    makeHome(stage.home, agent, port);
    await stage.agent((at) => agent.start(at, PROMPT));
    stages.push({ agent, stage });
  }
  console.log('agent        command    resumed  bytes of the next request  stale read');
  for (const { agent, stage } of stages) {
    const other = stages.find((one) => one.agent !== agent && one.agent.place)?.stage;
    const sourceFile = other && (await other.session());
    let before: number | undefined;
    for (const command of ['as it was', ...COMMANDS] as const) {
      if (command === 'convert' && sourceFile === undefined) continue;
      // The same path, which agents record: the home as it was comes back after each command.
      const kept = `${stage.home}.kept`;
      cpSync(stage.home, kept, { recursive: true });
      try {
        const id =
          command === 'as it was'
            ? await idOf(stage, agent)
            : await written(stage, agent, { command, source: sourceFile ?? '' });
        const { requests, out } = await stage.agent((port) => agent.resume(port, id, 'Go on.'));
        const next = nextRequest(requests);
        if (command === 'as it was') before = next?.bytes;
        const isResumed = next !== undefined && requests.some(({ body }) => JSON.stringify(body).includes(SAID));
        const bytes = next ? `${before} -> ${next.bytes}` : out.slice(-80);
        const isGone = next !== undefined && !next.isStale;
        console.log(
          [
            agent.name.padEnd(12),
            command.padEnd(10),
            (isResumed ? 'yes' : 'NO').padEnd(8),
            bytes.padEnd(26),
            isGone ? 'gone' : 'there',
          ].join(' '),
        );
        // A converted session is whole; `resume` keeps a line that is nowhere else.
        const isSmaller = command === 'start' ? (next?.bytes ?? 0) < (before ?? 0) : isGone;
        holds &&= isResumed && (isSmaller || command === 'as it was' || command === 'convert');
      } catch (error) {
        holds = false;
        console.log(
          agent.name.padEnd(12),
          command.padEnd(10),
          'FAILED ',
          error instanceof Error ? error.message.slice(0, 600) : error,
        );
      } finally {
        rmSync(stage.home, { recursive: true, force: true });
        renameSync(kept, stage.home);
      }
    }
  }
  rmSync(folder, { recursive: true, force: true });
  return holds;
}

async function idOf(stage: Stage, agent: Agent): Promise<string> {
  const file = await stage.session();
  return file.includes('#') ? file.slice(file.indexOf('#') + 1) : idIn(file, agent.format);
}
