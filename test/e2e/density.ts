import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { afterFile } from '../after-file.ts';
import { COMMAND, PATH } from './command.ts';
import { runHere } from './run-here.ts';
import { SLOW_CLOCK } from './slow-clock.ts';

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A simulated computer: an empty home, no colours, a working folder, `density` on the PATH. */
export class Computer {
  readonly home = realpathSync(mkdtempSync(path.join(tmpdir(), 'density-home-')));
  readonly folder = path.join(this.home, 'work');

  constructor() {
    mkdirSync(this.folder);
    afterFile(() => rmSync(this.home, { recursive: true, force: true }));
  }

  /** Writes a file below the home and returns its path. */
  write(name: string, content: string | Uint8Array): string {
    const file = path.join(this.home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** `command` is another build of the command. */
  start(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    command: string = COMMAND,
  ): ChildProcess {
    const clock = args[0] === 'wrap' ? ['--import', SLOW_CLOCK] : [];
    return spawn(process.execPath, [...clock, command, ...args], {
      cwd: this.folder,
      // Tests list what a command leaves behind.
      env: { PATH: PATH(), HOME: this.home, NODE_DISABLE_COMPILE_CACHE: '1', ...environment },
    });
  }

  /** Runs the command to its end: in this process, which saves its start, unless it is another build, or needs options of Node. */
  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}, command?: string): Promise<Outcome> {
    return command !== undefined || 'NODE_OPTIONS' in environment
      ? outcomeOf(this.start(args, environment, command))
      : runHere(args, { folder: this.folder, environment: { PATH: PATH(), HOME: this.home, ...environment } });
  }

  /** Runs the command in a process of its own: beside others, or with the output of the agent that it starts. */
  runApart(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return outcomeOf(this.start(args, environment));
  }
}

/** Standard error of a command that has nothing to say but one next step. */
export const ONLY_NEXT: unknown = expect.stringMatching(/^(?:next: .*\n)?$/);

/** The output and exit of a process. */
export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    );
  });
}

/** One JSON value per line. */
export const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A session of our own format. */
export const sessionText = (entries: readonly IContent[], facts: object = {}): string =>
  [
    { format: 'high-density', version: 1, id: 'planted', model: 'gpt-5', workspaceRoot: '/project', ...facts },
    ...entries,
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const read = (file: string, result: string, number: number): IContent[] => [
  {
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id: `call-${number}`, name: 'read_file', parameters: { absolute_path: file } }],
    metadata: { id: `ai-${number}` },
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: `call-${number}`, toolName: 'read_file', result }],
    metadata: { id: `tool-${number}` },
  },
];

/** Two reads of one file with a write between them: 9 entries, 5 model calls, one stale read. */
export const EDITED: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Rename it, please.' }], metadata: { id: 'human-1' } },
  ...read('/project/a.ts', 'const before = 1;\n'.repeat(50), 1),
  {
    speaker: 'ai',
    blocks: [
      {
        type: 'tool_call',
        id: 'call-2',
        name: 'write_file',
        parameters: { file_path: '/project/a.ts', content: 'const after = 1;\n' },
      },
    ],
    metadata: { id: 'ai-2' },
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'call-2', toolName: 'write_file', result: 'ok' }],
    metadata: { id: 'tool-2' },
  },
  ...read('/project/a.ts', 'const after = 1;\n'.repeat(50), 3),
  { speaker: 'ai', blocks: [{ type: 'text', text: 'Renamed: 名前を変えました 🎉.' }], metadata: { id: 'ai-4' } },
];
