/**
 * The command on files that are no sessions, or broken ones: each run must end by itself with exit code 0, 1 or 2 and
 * no stack trace, print no control character of the file, write no output when it fails, and leave the file as it was.
 *
 * `npm run proof -- odd-files [name …]`: all files, or those whose name contains one of the words. Needs 2 GB in the
 * folder for temporary files.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { seededRandom } from '../../bench/random.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COMMAND = path.join(ROOT, 'dist/density.js');
const EXAMPLE = readFileSync(path.join(ROOT, 'dist/example-session.jsonl'), 'utf8');
const LONGEST_RUN_MS = 120_000;
const COMMANDS = [
  ['inspect'],
  ['replay'],
  ['inspect', '--lint'],
  ['dev', 'count'],
  ['replay', '-o', 'OUT'],
  ['optimize', '-o', 'OUT'],
  ['convert', '--to', 'openai-chat', '-o', 'OUT'],
];
/** Sequences that a terminal obeys, and a page that a browser would run. */
const EVIL =
  '\u001b]0;title\u0007\u001b[2J\u001b[31m\u009b5m\u0008\r<script>alert(1)</script><img src=x onerror=alert(1)>\u202e';
const CONTROLS = /(?![\n\t])\p{Cc}|\u202e/u;
const lineOf = (entry: object): string => `${JSON.stringify(entry)}\n`;
const [header = ''] = EXAMPLE.split('\n');

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly ms: number;
}

async function run(command: readonly string[], home: string): Promise<Outcome> {
  const started = performance.now();
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
  };
  const child = spawn(process.execPath, [COMMAND, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_RUN_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, output: Buffer.concat(chunks).toString(), ms: Math.round(performance.now() - started) };
}

/** What is wrong with a run; undefined if nothing is. */
function complaint({ code, signal, output }: Outcome, written: string): string | undefined {
  if (signal !== null) return `ended by ${signal}`;
  if (code === null || code > 2) return `exit code ${code}`;
  if (/\n\s+at .*[:(]\d+/.test(output)) return 'a stack trace';
  if (CONTROLS.test(output)) return 'a control character';
  if (code !== 0 && existsSync(written)) return 'an output although it failed';
  if (existsSync(written) && written.endsWith('html') && /<script>alert|<img src=x/.test(readFileSync(written, 'utf8')))
    return 'a page that runs what the session says';
  return undefined;
}

/** Each odd file: how it is made at that path, and what stops it being made. */
const FILES: Record<string, (file: string) => unknown> = {
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `truncated ${index}`,
      (file: string) => writeFileSync(file, EXAMPLE.slice(0, seededRandom(index).integer(EXAMPLE.length))),
    ]),
  ),
  'utf-16 with a mark': (file) => writeFileSync(file, Buffer.from(`\ufeff${EXAMPLE}`, 'utf16le')),
  'utf-16 without': (file) => writeFileSync(file, Buffer.from(EXAMPLE, 'utf16le')),
  'utf-8 with a mark': (file) => writeFileSync(file, `\ufeff${EXAMPLE}`),
  'windows lines': (file) => writeFileSync(file, EXAMPLE.replaceAll('\n', '\r\n')),
  gzip: (file) => writeFileSync(file, gzipSync(EXAMPLE)),
  'random bytes': (file) => writeFileSync(file, Buffer.from(seededRandom(1).hex(200_000), 'hex')),
  'not utf-8 inside': (file) =>
    writeFileSync(file, Buffer.concat([Buffer.from(EXAMPLE), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 10])])),
  fifo: (file) => execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', file]),
  socket: async (file) => {
    const server = createServer().listen(file);
    await once(server, 'listening');
    return () => server.close();
  },
  'no permission': (file) => writeFileSync(file, EXAMPLE, { mode: 0o000 }),
  'a million levels': (file) =>
    writeFileSync(file, `${header}\n${'['.repeat(1e6)}${']'.repeat(1e6)}\n${'{"a":'.repeat(1e6)}\n`),
  'a million levels in a call': (file) =>
    writeFileSync(
      file,
      `${header}\n${lineOf({ speaker: 'ai', blocks: [{ type: 'tool_call', id: 'a', name: 'read_file', parameters: 'X' }] }).replace('"X"', `${'[['.repeat(5e5)}${']]'.repeat(5e5)}`)}`,
    ),
  'a million lines': (file) =>
    writeFileSync(
      file,
      `${header}\n${lineOf({ speaker: 'human', blocks: [{ type: 'text', text: 'x' }] }).repeat(1e6)}`,
    ),
  'one line of 1 GB': async (file) => {
    const stream = createWriteStream(file);
    stream.write(`${header}\n{"speaker":"human","blocks":[{"type":"text","text":"`);
    const part = 'word '.repeat(2e5);
    for (let written = 0; written < 1e9; written += part.length) if (!stream.write(part)) await once(stream, 'drain');
    stream.end('"}]}\n');
    await once(stream, 'close');
  },
  'odd keys': (file) =>
    writeFileSync(
      file,
      `${header}\n{"speaker":"human","__proto__":{"x":1},"constructor":7,"blocks":[{"type":"text","text":"hi","text":"twice","__proto__":{"text":1}}]}\n{"speaker":"ai","blocks":[{"type":"tool_call","id":"1","name":"read_file","parameters":{"file_path":{"toString":1},"n":1e999}}]}\n${lineOf({ speaker: 'tool', blocks: [{ type: 'tool_response', callId: '1', toolName: 'constructor', result: { hasOwnProperty: null } }] })}`,
    ),
  'odd types': (file) =>
    writeFileSync(
      file,
      `${header}\n${[null, 7, [], 'text', {}, { speaker: 'human' }, { speaker: 'human', blocks: 'x' }, { speaker: 'human', blocks: [null, 7, { type: 'text' }, { type: 'text', text: 5 }, { type: 'tool_call' }, { type: 'tool_response', result: null }] }].map((entry) => `${JSON.stringify(entry)}\n`).join('')}`,
    ),
  'terminal escapes and pages': (file) =>
    writeFileSync(
      file,
      EXAMPLE.split('\n')
        .map((line) =>
          line.replaceAll(
            /"(text|result|name|file_path|model|workspaceRoot)":"/g,
            (found) => found + JSON.stringify(EVIL).slice(1, -1),
          ),
        )
        .join('\n'),
    ),
  growing: (file) => {
    writeFileSync(file, EXAMPLE);
    const timer = setInterval(
      () => writeFileSync(file, lineOf({ speaker: 'human', blocks: [{ type: 'text', text: 'more' }] }), { flag: 'a' }),
      2,
    );
    return () => clearInterval(timer);
  },
  'deleted while it is read': (file) => {
    const put = (): void => writeFileSync(file, EXAMPLE);
    put();
    const timer = setInterval(() => (existsSync(file) ? rmSync(file) : put()), 7);
    return () => clearInterval(timer);
  },
};

export async function prove(words: readonly string[]): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'odd-files-'));
  const names = Object.keys(FILES).filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  let runs = 0;
  let failures = 0;
  for (const name of names) {
    const file = path.join(folder, `${name.replaceAll(' ', '-')}.jsonl`);
    const made = await FILES[name]!(file);
    const stop = typeof made === 'function' ? () => made() : undefined;
    const isStill = stop === undefined && statSync(file).isFile();
    const modified = isStill ? statSync(file).mtimeMs : 0;
    const seen: string[] = [];
    for (const [command = '', ...options] of COMMANDS) {
      const written = path.join(folder, options.includes('-o') && command === 'replay' ? 'out.html' : 'out.jsonl');
      const outcome = await run(
        [command, file, ...options.map((option) => (option === 'OUT' ? written : option))],
        folder,
      );
      const problem =
        complaint(outcome, written) ??
        (isStill && statSync(file).mtimeMs !== modified ? 'the file was changed' : undefined);
      runs++;
      seen.push(`${command} ${outcome.code} (${outcome.ms} ms)`);
      if (problem !== undefined) {
        failures++;
        console.log(`FAILED ${name}, ${command}: ${problem}\n${outcome.output.slice(0, 1_500)}`);
      }
      rmSync(written, { force: true });
    }
    console.log(`${name}: ${seen.join(', ')}`);
    stop?.();
    rmSync(file, { force: true });
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`${failures} of ${runs} runs failed`);
  return failures === 0;
}
