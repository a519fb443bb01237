import { expect, test } from 'vitest';
import { ReplicaLink } from '../../src/offload/replica-link.ts';
import { ThreadUnavailableError, type UnavailableReason } from '../../src/threads/unavailable.ts';
import { Loopback } from './loopback.ts';

/** How a request ends whose attempts are lost for these reasons, one after the other. */
async function requestAfter(...reasons: UnavailableReason[]): Promise<string> {
  const pool = new Loopback();
  pool.before = () => {
    const reason = reasons.shift();
    if (reason !== undefined) throw new ThreadUnavailableError(reason);
  };
  const link = new ReplicaLink(pool);
  const known = { doneEntries: 0, allEntries: 0, countedTokens: 0 };
  const build = () => ({ task: { kind: 'synchronise' } as const });
  return link.request({ build, known: () => known }).then(
    ({ outcome }) => outcome.kind,
    (error: ThreadUnavailableError) => error.reason,
  );
}

test('a request whose own thread is lost twice ends; the threads that neighbours lose do not count', async () => {
  expect(await requestAfter('crashed')).toBe('done');
  expect(await requestAfter('crashed', 'crashed')).toBe('crashed');
  expect(await requestAfter('displaced', 'displaced', 'crashed', 'displaced', 'displaced')).toBe('done');
});
