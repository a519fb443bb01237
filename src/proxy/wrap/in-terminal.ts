import { once } from 'node:events';
import { constants as system } from 'node:os';
// Finds the `.cmd` files that npm makes on Windows, and quotes arguments for them.
import spawn from 'cross-spawn';

/** Signals that end the wrapper; the agent gets them too. Ctrl-C reaches the agent from the terminal itself. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;
/** Exit codes of processes that a signal ended. Source: POSIX shells. */
const SIGNAL_EXIT = 128;

interface TerminalRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: this one. */
  readonly cwd?: string | undefined;
  /** Called once it runs; what it returns is called when it has ended. */
  readonly guard?: (pid: number) => () => void;
}

/** Runs a command in this terminal and returns its exit code. @throws the system's error if it does not start. */
export async function runInTerminal(
  command: string,
  parameters: readonly string[],
  { env, cwd, guard }: TerminalRun,
): Promise<number> {
  const child = spawn(command, [...parameters], { stdio: 'inherit', env: { ...env }, ...(cwd && { cwd }) });
  const release = child.pid === undefined ? undefined : guard?.(child.pid);
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  const wait = (): void => {};
  process.on('SIGINT', wait).on('SIGQUIT', wait);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? SIGNAL_EXIT + (system.signals[signal ?? 'SIGTERM'] ?? 0);
  } finally {
    release?.();
    process.off('SIGINT', wait).off('SIGQUIT', wait);
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}
