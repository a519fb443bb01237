import { spawn } from 'node:child_process';
import { z } from 'zod';
import { VENDORS } from '../../providers/index.ts';
import { defineAskingTool, type ToolContext } from './contract.ts';
import { CutMiddle } from './cut-output.ts';
import { endWith } from './end-with.ts';
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

interface ShellCommand {
  readonly command: string;
  readonly directory?: string | undefined;
}

async function run({ command, directory }: ShellCommand, context: ToolContext): Promise<string> {
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
