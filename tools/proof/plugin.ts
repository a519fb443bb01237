/**
 * The plugin in the real Claude Code and Codex, installed by their own commands, against a model that follows a script: a repeated read is
 * answered by one line, a read after an edit by what is new, a search and a list of files get a shorter form (Claude Code), `recall` brings the text back, after a compaction (Claude Code) the read stays, and a session that is resumed
 * with an expired cache is offered in a smaller copy. Requests and transcripts are kept in a folder.
 *
 * `npm run proof -- plugin <folder of the agents> [folder to keep]`. Run it where nothing leads out of the machine.
 */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ProviderRequest, Said } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { AGENTS, type Agent, makeHome } from './agents.ts';
import { type Installer, installers } from './plugin/installers.ts';
import { resumedScreen } from './plugin/resumed-screen.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DENSITY = path.join(ROOT, 'dist/density.js');
const TWO_HOURS_MS = 2 * 60 * 60_000;
const RESULTS = /"type":"tool_result"|"type":"function_call_output"/g;
const MARKER = /⟦density: \d+ lines.{0,40} as shown above by .{0,200}?; recall ([0-9a-f]{12})⟧/;
const OFFER = /density:\s+the\s+prompt\s+cache\s+of\s+this\s+session\s+has\s+expired[^"]*?without\s+them\./;
/** The edited line, with its number in Claude Code, and a marker in place of the others. */
const EDITED = /(?:1\\t)?mark 1\\n(?:2\\t)?⟦density: \d+ lines/;
const LINE = 'value 7 is an ordinary line of this file';
const INSTALLERS = installers(ROOT);
const run = promisify(execFile);

/** As `rg --heading` and `ls -R` print: the path once above its matches, the folder once above its files. */
const SHAPED = [/src\/deep\/\w+\.ts\n\d+:.*needle.*\n\d+:.*needle/, /src\/deep\/:\n\w+\.ts\n\w+\.ts\n\w+\.ts/];

/**
 * What the model does next in a turn: it runs programs, searches and lists files, reads the file twice, takes the removed text back, edits
 * the first line and reads the file again.
 */
function says({ body }: ProviderRequest, file: string, { reports, shaped, read, edit, recall }: Installer): Said {
  const text = JSON.stringify(body);
  if (!text.includes('"tools":[{')) return { text: 'A title, or a summary.' };
  const results = text.match(RESULTS)?.length ?? 0;
  const hash = MARKER.exec(text)?.[1] ?? 'none';
  const recalled = { ...recall, input: { hash, lines: '1-12' } };
  const calls = [...reports, ...shaped, read(file), read(file), recalled, edit(file), read(file)];
  const steps = calls.map((call): Said => ({ calls: [call] }));
  // After a compaction there is no result.
  if (text.includes('Read it again')) return results === 0 ? { calls: [read(file)] } : { text: 'Read.' };
  return steps[results] ?? { text: 'Done.' };
}

/** Every file below a folder. */
const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => path.join(one.parentPath, one.name))
    : [];

class Stage {
  readonly #agent: Agent;
  readonly #program: string;
  readonly #port: number;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly outputs: string[] = [];

  constructor(agent: Agent, program: string, { home, port }: { home: string; port: number }) {
    this.#agent = agent;
    this.#program = program;
    this.#port = port;
    this.home = home;
    const bin = path.join(home, 'bin');
    makeHome(home, agent, port);
    mkdirSync(bin);
    mkdirSync(path.join(home, '.codex'));
    symlinkSync(DENSITY, path.join(bin, 'density'));
    const PATH = `${bin}:${path.dirname(program)}:${process.env['PATH']}`;
    this.environment = { PATH, HOME: home, ...agent.environment(port) };
  }

  async command(program: string, args: readonly string[]): Promise<string> {
    const started = run(program, args, {
      cwd: path.join(this.home, 'work'),
      env: this.environment,
      timeout: 200_000,
      maxBuffer: 1 << 27,
    });
    started.child.stdin?.end();
    const said = await started.catch((error: { stdout?: string; stderr?: string }) => error);
    const text = `$ ${path.basename(program)} ${args.join(' ')}\n${said.stdout ?? ''}${said.stderr ?? ''}`;
    this.outputs.push(text);
    return text;
  }

  agent(args: readonly string[]): Promise<string> {
    return this.command(this.#program, args);
  }

  start(prompt: string, trust: readonly string[]): Promise<string> {
    return this.agent([...this.#agent.start(this.#port, prompt).slice(0, -1), ...trust, prompt]);
  }

  resume(id: string, prompt: string, trust: readonly string[]): Promise<string> {
    return this.agent(this.#resumed(id, prompt, trust));
  }

  async screen(id: string, prompt: string, trust: readonly string[]): Promise<string> {
    const args = this.#resumed(id, prompt, trust);
    const { environment, home } = this;
    const screen = await resumedScreen({ program: this.#program, home, environment, args, wanted: OFFER });
    this.outputs.push(`The screen after ${JSON.stringify(prompt)}:\n${screen}`);
    return screen;
  }

  #resumed(id: string, prompt: string, trust: readonly string[]): readonly string[] {
    return [...this.#agent.resume(this.#port, id, prompt).slice(0, -1), ...trust, prompt];
  }
}

/** The transcript as if its last call was two hours ago. */
function age(transcript: string): void {
  const old = readFileSync(transcript, 'utf8').replace(/"timestamp":"([^"]+)"/g, (_, time: string) => {
    return `"timestamp":"${new Date(Date.parse(time) - TWO_HOURS_MS).toISOString()}"`;
  });
  writeFileSync(transcript, old);
  const at = (Date.now() - TWO_HOURS_MS) / 1000;
  utimesSync(transcript, at, at);
}

async function proveAgent(agent: Agent, program: string, kept: string): Promise<boolean> {
  const installer = INSTALLERS[agent.program]!;
  const home = mkdtempSync(path.join(os.tmpdir(), `density-plugin-${agent.program}-`));
  const file = path.join(home, 'work/alpha.txt');
  const requests: ProviderRequest[] = [];
  const server = providerServer(new StrictProvider(), {
    now: Date.now,
    script: (request) => says(request, file, installer),
    onRequest: (request, outcome) => {
      if (outcome.status !== 200) console.log(`  refused: ${JSON.stringify(outcome).slice(0, 300)}`);
      requests.push(request);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stage = new Stage(agent, program, { home, port: (server.address() as AddressInfo).port });
  const lines = Array.from(
    { length: 1_000 },
    (_, at) => `value ${at} is an ordinary line of this file, number ${at * 7}`,
  );
  writeFileSync(file, ['mark 0', ...lines, ''].join('\n'));
  const folder = path.join(home, 'work/src/deep');
  mkdirSync(folder, { recursive: true });
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    writeFileSync(
      path.join(folder, `${name}.ts`),
      `export const needle = '${name}';\nexport const needles = [needle];\n`,
    );
  // Codex shows a replaced result as blocked: there a person turns it on.
  writeFileSync(path.join(home, 'work/.density.json'), '{ "plugin-codex-repeats": true }');
  const checks: [string, boolean][] = [];
  const check = (what: string, holds: boolean): void => {
    checks.push([what, holds]);
    console.log(`${agent.name.padEnd(12)} ${holds ? 'yes' : 'NO '}  ${what}`);
  };
  try {
    for (const args of installer.install) await stage.agent(args);
    await stage.start('Read it twice.', installer.trust);
    const last = JSON.stringify(requests.at(-1)?.body ?? {});
    const transcript = filesIn(path.join(home, installer.transcripts)).find((one) => one.endsWith('.jsonl')) ?? '';
    const copies = last.split(LINE).length - 1;
    check('a repeated read is one line', MARKER.test(last));
    if (installer.shaped.length > 0) {
      const results = last.replaceAll('\\n', '\n');
      check(
        'a search has its matches by file, a list its paths by folder',
        SHAPED.every((form) => form.test(results)),
      );
    }
    check(`recall brought the text back (${copies} copies of line 7, 2 expected)`, copies === 2);
    check('a read after an edit shows what is new', EDITED.test(last));
    const id = /([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(transcript)?.[1] ?? '';
    age(transcript);
    const resumed = await stage.resume(id, 'Go on.', installer.trust);
    /** `codex exec` does not show what hooks say: there a person resumes in a terminal. */
    const said = async (): Promise<string> => {
      if (agent.program !== 'codex') return `${resumed}${readFileSync(transcript, 'utf8')}`;
      age(transcript);
      const screen = await stage.screen(id, 'Go on.', installer.trust);
      return screen.replaceAll(/\s+/g, ' ');
    };
    const offer = OFFER.exec(await said())?.[0];
    check(`a resume is offered in a smaller copy: ${offer}`, offer !== undefined);
    age(transcript);
    const report = await stage.command(process.execPath, [DENSITY, 'optimize', id, '--start', '--dry-run', '--json']);
    const [, tokens = '0', after = '0'] = /"tokens":(\d+).*"tokensAfter":(\d+)/.exec(report) ?? [];
    check(
      `density optimize --start: ${tokens} -> ${after} tokens`,
      Number(after) > 0 && Number(after) < Number(tokens),
    );
    if (agent.program === 'claude') {
      await stage.resume(id, '/compact', installer.trust);
      await stage.resume(id, 'Read it again.', installer.trust);
      const body = JSON.stringify(requests.at(-1)?.body);
      check(
        'after a compaction the same read stays',
        body.includes(LINE) && !MARKER.test(body.split('Read it again').at(-1)!),
      );
    }
    const keptIn = path.join(kept, agent.program);
    mkdirSync(keptIn, { recursive: true });
    writeFileSync(path.join(keptIn, 'outputs.txt'), stage.outputs.join('\n'));
    writeFileSync(
      path.join(keptIn, 'requests.jsonl'),
      requests.map(({ body }) => `${JSON.stringify(body)}\n`).join(''),
    );
    for (const one of filesIn(path.join(home, installer.transcripts)))
      writeFileSync(path.join(keptIn, path.basename(one)), readFileSync(one));
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(home, { recursive: true, force: true });
  }
  return checks.every(([, holds]) => holds);
}

export async function prove([agents = '', kept]: readonly string[]): Promise<boolean> {
  const folder = kept ?? mkdtempSync(path.join(os.tmpdir(), 'density-plugin-transcripts-'));
  let holds = true;
  for (const agent of AGENTS.filter(({ program }) => program in INSTALLERS)) {
    const program = path.resolve(agents, 'node_modules/.bin', agent.program);
    if (existsSync(program)) holds = (await proveAgent(agent, program, folder)) && holds;
    else console.log(`${agent.name} is absent: npm install --prefix <folder> --no-audit --no-fund ${agent.package}`);
  }
  console.log(`Transcripts and requests: ${folder}`);
  return holds;
}
