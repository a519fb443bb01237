import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process at once, and waits for it; does nothing if it has ended or was never started. */
export async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
