import { afterEach } from 'vitest';
import type { LiveState } from '../../src/proxy/page/live-state.ts';
import { PageServer } from '../../src/proxy/page/page-server.ts';
import { type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { stateOf, workedCalls } from './live-states.ts';

/** Proxies that are open; each is closed after its test. */
export const open: RunningProxy[] = [];
afterEach(async () => {
  for (const proxy of open.splice(0)) await proxy.close();
});

/** A page with its proxy, and what it shows. */
export interface Served {
  readonly proxy: RunningProxy;
  readonly page: PageServer;
  state: LiveState;
  isArchiveDown: boolean;
}

/** Serves the page of a state. */
export async function served(state = stateOf(workedCalls()), port = 0): Promise<Served> {
  const shown: { state: LiveState; isArchiveDown: boolean } = { state, isArchiveDown: false };
  const page = new PageServer({
    token: 'page-token',
    state: () => shown.state,
    textOf: async (hash) => {
      if (shown.isArchiveDown) throw new Error('no answer');
      return hash.startsWith('abcdef0') ? `<b>old text</b> of ${hash}` : undefined;
    },
  });
  const proxy = await startProxy({ mounts: [{ path: '', upstream: new URL('http://127.0.0.1:9') }], port, page });
  open.push(proxy);
  return Object.assign(shown, { proxy, page });
}
