import { spawn } from 'node:child_process';

/** An agent that writes its session when it is hung up needs no longer. */
const LONGEST_END_SECONDS = 5;

/**
 * Waits for the end of its standard input, which comes when the wrapper dies, however it dies. In a session of its own, so
 * that what is sent to the terminal or to the wrapper's group does not end it.
 */
const SCRIPT = `read -r _
kill -HUP "$1" 2>/dev/null || exit 0
echo "density: the wrapper was killed, and the agent's way to its provider with it. The agent was asked to stop; its session can be resumed." >&2
sleep ${LONGEST_END_SECONDS}
kill -TERM "$1" 2>/dev/null`;

/**
 * Starts a small shell that ends the agent if this process is killed: without its proxy it could only try again and again.
 * Returns what takes it away once the agent has ended. Does nothing on Windows, which has neither the shell nor hang-ups.
 */
export function guardAgent(pid: number): () => void {
  if (process.platform === 'win32') return () => {};
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'density', String(pid)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
  });
  // If there is no shell, the agent runs without a guard, as before.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  return () => void guard.kill('SIGKILL');
}
