/**
 * The mod of the plugin in the real Claude Code, against a model that follows a script: a session that reads and writes one file five
 * times is compacted by rules without asking a model, goes on, is resumed, and all comes back. With thinking in it, or with a fault in the
 * mod, the agent summarises as without it.
 *
 * `npm run proof -- mod <folder of the agents>`. Run it where nothing leads out of the machine.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ProviderRequest, Said } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { AGENTS, makeHome } from './agents.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PLUGIN = path.join(ROOT, 'plugins/density');
const AGENT = AGENTS.find(({ program }) => program === 'claude')!;
const MODEL = 'claude-opus-4-5';
const SUMMARY = /CRITICAL: Respond with TEXT ONLY/;
const VERSIONS = 5;
const firstLine = (version: number): string => `line 1 of version ${version}, an ordinary line`;

/** The file is made, read and overwritten, so that each read is stale. */
function calls(file: string, isThinking: boolean): Said[] {
  const steps = Array.from({ length: VERSIONS }, (_, version) => {
    const made = `for i in $(seq 300); do echo "line $i of version ${version}, an ordinary line"; done > alpha.txt`;
    return [
      { name: 'Bash', input: { command: made, description: 'Makes it' } },
      { name: 'Read', input: { file_path: file } },
      { name: 'Write', input: { file_path: file, content: `short ${version}\n` } },
    ];
  });
  return steps.flat().map((call) => ({ ...(isThinking && { thinking: 'I go on.' }), calls: [call] }));
}

/** Claude Code in one process, which is spoken to, with a home of its own. */
class Session {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'density-mod-'));
  readonly requests: ProviderRequest[] = [];
  readonly #program: string;
  readonly #plugin: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #server;
  readonly #refused: string[] = [];

  constructor(program: string, given: { plugin?: string; isThinking?: boolean; variables?: Record<string, string> }) {
    const { plugin = PLUGIN, isThinking = false, variables = {} } = given;
    this.#program = program;
    this.#plugin = plugin;
    this.#variables = variables;
    const steps = calls(path.join(this.home, 'work/alpha.txt'), isThinking);
    this.#server = providerServer(new StrictProvider(), {
      now: Date.now,
      script: ({ body }) =>
        SUMMARY.test(JSON.stringify(body)) ? { text: 'What was done.' } : (steps.shift() ?? { text: 'Done.' }),
      onRequest: (request, outcome) => {
        this.requests.push(request);
        if (outcome.status !== 200) this.#refused.push(outcome.message);
      },
    });
  }

  /** Says the prompts, one after the other, and returns what was answered. */
  async say(prompts: readonly string[], more: readonly string[] = []): Promise<readonly string[]> {
    if (!this.#server.listening) {
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
      makeHome(this.home, AGENT, this.#port);
      symlinkSync(path.join(ROOT, 'dist/density.js'), path.join(this.home, 'density'));
    }
    const args = AGENT.start(this.#port, '').slice(0, -2);
    const stream = ['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const PATH = `${this.home}:${path.dirname(this.#program)}:${process.env['PATH']}`;
    const child = spawn(this.#program, [...args, '--model', MODEL, '--plugin-dir', this.#plugin, ...more, ...stream], {
      cwd: path.join(this.home, 'work'),
      env: { PATH, HOME: this.home, ...AGENT.environment(this.#port), ...this.#variables },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const left = [...prompts];
    const next = (): void => {
      const content = left.shift();
      if (content === undefined) child.stdin.end();
      else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    };
    next();
    const answers: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { type, result } = JSON.parse(line) as { type: string; result?: string };
      if (type !== 'result') continue;
      answers.push(result ?? '');
      next();
    }
    return answers;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The newest prompt, as text. */
  get prompt(): string {
    return JSON.stringify(this.requests.at(-1)?.body ?? {});
  }

  get summaries(): number {
    return this.requests.filter(({ body }) => SUMMARY.test(JSON.stringify(body))).length;
  }

  get isAccepted(): boolean {
    return this.#refused.length === 0;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.home, { recursive: true, force: true });
  }
}

const versionsIn = (prompt: string): number =>
  Array.from({ length: VERSIONS }, (_, version) => version).filter((version) => prompt.includes(firstLine(version)))
    .length;

/** Where the mod throws, or gets what it does not expect. */
const FAULTS: readonly (readonly [string, string, string])[] = [
  ['the start', 'const calls = callsIn(messages);', "throw new Error('fault');"],
  ['the plain list', 'const plain = ({ role, text, toolUses, toolResults }) => ({', '$& ...undefined.none,'],
  ['the call of density', 'density.mjs`', 'none.mjs`'],
  ['the session', 'await $.session.id()', 'undefined.id'],
  ['an answer that is no JSON', 'JSON.parse(stdout)', "JSON.parse('no')"],
  ['an answer without texts', 'JSON.parse(stdout)', '{ tokensBefore: 10, tokensAfter: 1 }'],
  ['the shares', 'const removed = 1 -', 'const removed = undefined.none -'],
  ['the window', 'await $.session.usage()).context', 'await $.session.usage()).none'],
  ['the new list', 'const textOf = (id, text) => texts[id] ?? text;', "throw new Error('fault');"],
  ['an event that is missing', "on('session.start'", "on('session.none'"],
  ['the registering', "on('session.start'", 'undefined.none;$&'],
  ['the command', 'await $.command.register({', "throw new Error('fault');$&"],
];

async function proveFaults(program: string, check: (what: string, holds: boolean) => void): Promise<void> {
  const run = async (
    what: string,
    given: { plugin?: string; variables?: Record<string, string> },
    isPruned = false,
  ) => {
    const session = new Session(program, given);
    try {
      await session.say(['Read it.', '/compact', 'Go on.']);
      const holds = isPruned
        ? session.summaries === 0
        : session.summaries > 0 && session.prompt.includes('What was done.');
      check(`fault: ${what}: the agent goes on`, holds && session.isAccepted);
    } finally {
      session.close();
    }
  };
  for (const [what, found, put] of FAULTS) {
    const plugin = mkdtempSync(path.join(os.tmpdir(), 'density-mod-fault-'));
    cpSync(PLUGIN, plugin, { recursive: true });
    const file = path.join(plugin, 'hooks/compaction.mjs');
    const source = readFileSync(file, 'utf8');
    if (!source.includes(found)) throw new Error(`Expected ${found} in the mod.`);
    writeFileSync(file, source.replace(found, put));
    // Without its command the mod still prunes.
    await run(what, { plugin }, what === 'the command');
    rmSync(plugin, { recursive: true });
  }
  await run('an archive that cannot be written', { variables: { XDG_DATA_HOME: '/dev/null' } });
}

export async function prove([agents = '']: readonly string[]): Promise<boolean> {
  const program = path.resolve(agents, 'node_modules/.bin/claude');
  if (!existsSync(program)) {
    console.log(`Claude Code is absent: npm install --prefix <folder> --no-audit --no-fund ${AGENT.package}`);
    return true;
  }
  let holds = true;
  const check = (what: string, isTrue: boolean): void => {
    holds &&= isTrue;
    console.log(`${isTrue ? 'yes' : 'NO '}  ${what}`);
  };
  const session = new Session(program, {});
  try {
    const [, preview = '', , , why = ''] = await session.say([
      'Read it.',
      '/density preview',
      '/compact',
      'Go on.',
      '/density why',
    ]);
    check('a compaction by rules asks no model', session.summaries === 0);
    check(`the preview said it: ${preview.split('\n')[0]}`, /would remove \d+%/.test(preview));
    check('why names the calls', why.includes('alpha.txt was written later'));
    check('what was read is not in the prompt any more', versionsIn(session.prompt) === 0);
    await session.say(['Go on.'], ['--continue']);
    check('nor after a resume', versionsIn(session.prompt) === 0);
    await session.say(['/density undo', '/compact', 'Go on.'], ['--continue']);
    check(
      `undo brings all of it back (${versionsIn(session.prompt)} of ${VERSIONS})`,
      versionsIn(session.prompt) === VERSIONS,
    );
    await session.say(['/density off', '/compact'], ['--continue']);
    check('off: the agent summarises', session.summaries > 0);
    check('the strict provider accepted every request', session.isAccepted);
  } finally {
    session.close();
  }
  for (const [what, first, expected] of [
    ['with thinking the agent summarises', [], true],
    ['with thinking left out rules compact', ['/density thinking drop'], false],
  ] as const) {
    const thinking = new Session(program, { isThinking: true });
    await thinking.say(['Read it.', ...first, '/compact']);
    check(what, thinking.summaries > 0 === expected);
    thinking.close();
  }
  await proveFaults(program, check);
  return holds;
}
