import { type ChildProcess, spawn } from 'node:child_process';
import { z } from 'zod';
import { VENDORS } from '../../providers/vendors.ts';
import { defineAskingTool, type ToolContext } from './contract.ts';
import { CutMiddle } from './cut-output.ts';
import { ToolError } from './tool-error.ts';

const TIMEOUT_MS = 120_000;

/** The environment without the keys of the vendors, which no command needs. */
function environment(): NodeJS.ProcessEnv {
  const keys = new Set(VENDORS.flatMap(({ keyVariables }) => keyVariables));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !keys.has(name)));
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const KILL_AFTER_MS = 2_000;
/** What ends a program from outside: `kill`, and a window that is closed. Ctrl-C is the user's, and cancels a turn. */
const ENDINGS = ['SIGTERM', 'SIGHUP'] as const;

/** Sends a signal to a command and its children, which are one process group. */
function send(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The command has ended already.
  }
}

/**
 * Ends a command and its children when `signal` is aborted, and when this program ends in any way but SIGKILL: a group of
 * its own would outlive it. Returns what lets go of a command that has ended.
 */
function endWith(child: ChildProcess, signal: AbortSignal): () => void {
  const kill = (): void => send(child, 'SIGKILL');
  const stop = (): void => {
    send(child, 'SIGTERM');
    setTimeout(kill, KILL_AFTER_MS).unref();
  };
  const onEnding = (ending: NodeJS.Signals): void => {
    child.once('exit', () => {
      letGo();
      kill();
      process.kill(process.pid, ending);
    });
    stop();
  };
  const letGo = (): void => {
    signal.removeEventListener('abort', stop);
    process.off('exit', kill);
    for (const ending of ENDINGS) process.off(ending, onEnding);
  };
  signal.addEventListener('abort', stop, { once: true });
  process.on('exit', kill);
  for (const ending of ENDINGS) process.on(ending, onEnding);
  return letGo;
}

function runShell(
  command: string,
  cwd: string,
  { signal, onOutput }: { signal: AbortSignal; onOutput: (text: string) => void },
): Promise<Ended> {
  const child = spawn(command, {
    shell: true,
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const output = new CutMiddle();
  const keep = (chunk: string): void => {
    output.add(chunk);
    onOutput(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const letGo = endWith(child, signal);
  return new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    // Wait for the exit of the shell only: a background process may keep the pipes open.
    child.once('exit', (code) => setImmediate(() => resolve({ code, output: output.text })));
  }).finally(() => {
    letGo();
    child.stdout.destroy();
    child.stderr.destroy();
  });
}

async function run(
  { command, directory }: { readonly command: string; readonly directory?: string | undefined },
  context: ToolContext,
): Promise<string> {
  const { workspace, signal, onOutput } = context;
  const folder = directory === undefined ? workspace.root : await workspace.resolve(directory);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const { code, output: printed } = await runShell(command, folder, {
    signal: AbortSignal.any([signal, timeout]),
    onOutput,
  });
  signal.throwIfAborted();
  if (timeout.aborted) throw new ToolError(`The command was stopped after ${TIMEOUT_MS / 1000} seconds.\n${printed}`);
  if (code !== 0) throw new ToolError(`Exit code ${code ?? 'none'}.\n${printed}`);
  return printed === '' ? '[no output]' : printed;
}

export const runShellCommand = defineAskingTool({
  name: 'run_shell_command',
  description: `Runs a shell command in the workspace and returns what it prints. The command has no terminal and no input, and must end within ${TIMEOUT_MS / 1000} seconds.`,
  parameters: z.object({
    command: z.string().min(1),
    directory: z.string().optional().describe('A folder to run it in, relative to the workspace.'),
  }),
  asks: 'shell',
  prepare: async (parameters, context) => ({
    preview: { title: 'run a command', detail: parameters.command.split('\n').map((line) => ` ${line}`) },
    run: () => run(parameters, context),
  }),
});
