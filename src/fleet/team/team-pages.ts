import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ledger } from '../../proxy/ledger/ledger.ts';
import { PageServer } from '../../proxy/page/page-server.ts';
import { every } from '../every.ts';
import type { TeamCalls } from './team-calls.ts';

/** While somebody reads a page, it is looked for new calls. */
const LOOK_MS = 1_000;
/** Pages that are kept ready; others are made again from the calls. */
const MAX_PAGES = 100;

export interface TeamPagesOptions {
  readonly calls: TeamCalls;
  readonly isShadow: boolean;
  readonly version: string;
  /** A removed text of a user, without secrets. */
  readonly textOf: (user: string, hash: string) => Promise<string | undefined>;
}

interface UserPage {
  readonly server: PageServer;
  readonly ledger: Ledger;
  end: string | undefined;
}

/** The page of each user: their own calls through all replicas, and nothing of others. */
export class TeamPages {
  readonly #options: TeamPagesOptions;
  /** The one used last is the last one. */
  readonly #pages = new Map<string, UserPage>();
  readonly #endLooks = every(LOOK_MS, () => {
    for (const [user, page] of this.#pages) if (page.server.readers > 0) void this.#look(user, page);
  });

  constructor(options: TeamPagesOptions) {
    this.#options = options;
  }

  async handle(
    user: string,
    [request, response]: readonly [IncomingMessage, ServerResponse],
    path: string,
  ): Promise<void> {
    const page = this.#pages.get(user) ?? this.#made(user);
    this.#pages.delete(user);
    this.#pages.set(user, page);
    const idle = [...this.#pages].find(([, { server }]) => server.readers === 0);
    if (this.#pages.size > MAX_PAGES && idle) this.#pages.delete(idle[0]);
    await this.#look(user, page);
    await page.server.handle(request, response, path);
  }

  close(): void {
    this.#endLooks();
    for (const { server } of this.#pages.values()) server.end();
  }

  #made(user: string): UserPage {
    const { isShadow, version, textOf } = this.#options;
    const ledger = new Ledger();
    const folder = `a team, sent by ${user}`;
    const facts = { agent: 'proxy', folder, isShadow, startedAt: Date.now(), version, isOfTeam: true };
    const server = new PageServer({
      state: () => ({ ...facts, numbers: ledger.numbers(), troubles: [] }),
      textOf: (hash) => textOf(user, hash),
      showsUnlisted: true,
    });
    return { server, ledger, end: undefined };
  }

  /** Adds what is new. While the server does not answer, the page shows what it had. */
  async #look(user: string, page: UserPage): Promise<void> {
    try {
      const from = page.end;
      const { calls, end } = await this.#options.calls.after(user, from);
      // Another look was faster.
      if (page.end !== from) return;
      page.end = end;
      for (const call of calls) page.ledger.add(call);
      if (calls.length > 0) page.server.changed();
    } catch {
      // The next look finds it.
    }
  }
}
