import type { ChildProcess } from 'node:child_process';

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
export function endWith(child: ChildProcess, signal: AbortSignal): () => void {
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
