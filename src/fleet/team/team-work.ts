import { liveChanges } from '../../live/exchange/live-changes.ts';
import { loggedCall } from '../../proxy/call-log.ts';
import type { ProxiedCall, ProxyRequestOptions } from '../../proxy/contract.ts';
import { RedisArchive } from './redis-archive.ts';
import type { RedisLink } from './redis-link.ts';
import { redisStore } from './redis-store.ts';
import type { TeamCalls } from './team-calls.ts';

const PREFIX = 'density:team:';
/** What a replica remembers of a user who was not here for so long is dropped: the server has it. */
const IDLE_MS = 15 * 60_000;

export interface TeamWorkOptions {
  readonly link: RedisLink;
  readonly calls: TeamCalls;
  readonly keepSeconds: number;
  readonly isShadow: boolean;
  readonly onTrouble: (what: string) => void;
  /** Called with each call, whosever it is. */
  readonly onCall: (call: ProxiedCall) => void;
}

/** What is done to the requests of each user. Nothing of one user is ever seen with another one: each has own keys and own pruners. */
export class TeamWork {
  readonly #options: TeamWorkOptions;
  readonly #users = new Map<string, { readonly options: ProxyRequestOptions; usedAt: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: TeamWorkOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      for (const [user, { usedAt }] of this.#users) if (performance.now() - usedAt > IDLE_MS) this.#users.delete(user);
    }, IDLE_MS / 4);
  }

  optionsOf(user: string): ProxyRequestOptions {
    const known = this.#users.get(user) ?? { options: this.#made(user), usedAt: 0 };
    known.usedAt = performance.now();
    this.#users.set(user, known);
    return known.options;
  }

  archiveOf(user: string): RedisArchive {
    const { link, keepSeconds } = this.#options;
    return new RedisArchive({ link, keepSeconds, prefix: `${PREFIX}text:${user}:` });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #made(user: string): ProxyRequestOptions {
    const { link, calls, keepSeconds, isShadow, onTrouble, onCall } = this.#options;
    const archive = this.archiveOf(user);
    const kind = isShadow ? 'shadow' : 'conversation';
    return {
      change: liveChanges({
        workspaceRoot: '/',
        agent: 'proxy',
        isShadow,
        store: redisStore({ link, keepSeconds, prefix: `${PREFIX}${kind}:${user}:` }),
        archive: (blocks) => archive.keep(blocks),
      }),
      onCall: (call) => {
        onCall(call);
        const logged = loggedCall(call, { at: Date.now(), agent: 'proxy', isShadow });
        calls.add(user, logged).catch(() => onTrouble('calls could not be noted: the Redis server did not answer'));
      },
      onTrouble,
    };
  }
}
