import type { ChangeRequest } from '../../live/exchange/contract.ts';
import { inShadow, liveChanges } from '../../live/exchange/live-changes.ts';
import { KeptMemory } from '../../live/kept-memory.ts';
import { loggedCall } from '../../proxy/call-log.ts';
import type { ProxiedCall, ProxyRequestOptions } from '../../proxy/contract.ts';
import { RequestMemory } from '../../proxy/intake/request-memory.ts';
import { missingPriceLines } from '../../proxy/ledger/missing-price-lines.ts';
import type { GivenDensityConfig } from '../../strategies/settings/density-config.ts';
import { Garbage } from './garbage.ts';
import { RedisArchive } from './redis-archive.ts';
import type { RedisLink } from './redis-link.ts';
import { redisStore } from './redis-store.ts';
import type { TeamCalls } from './team-calls.ts';

const PREFIX = 'density:team:';
/** What a replica may remember of conversations; what it drops the server has. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** A conversation that was not used for so long is dropped. */
const IDLE_MS = 15 * 60_000;

export interface TeamWorkOptions {
  readonly link: RedisLink;
  readonly calls: TeamCalls;
  readonly keepSeconds: number;
  readonly isShadow: boolean;
  readonly config: GivenDensityConfig;
  readonly onTrouble: (what: string) => void;
  /** Called with each call, whosever it is. */
  readonly onCall: (call: ProxiedCall) => void;
}

/** What is done to the requests of each user. Nothing of one user is ever seen with another one: each has own keys and own pruners. */
export class TeamWork {
  readonly #options: TeamWorkOptions;
  readonly #users = new Map<string, ProxyRequestOptions>();
  readonly #kept = new KeptMemory(MAX_KEPT_BYTES);
  readonly #garbage = new Garbage();
  readonly #requests = new RequestMemory((bytes) => this.#garbage.add(bytes));
  readonly #timer: NodeJS.Timeout;

  constructor(options: TeamWorkOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#kept.dropUnused(IDLE_MS), IDLE_MS / 4);
  }

  optionsOf(user: string): ProxyRequestOptions {
    const options = this.#users.get(user) ?? this.#made(user);
    this.#users.set(user, options);
    return options;
  }

  /** The estimated memory of remembered conversations and of requests in work. */
  get memory(): { readonly keptBytes: number; readonly requestBytes: number } {
    return { keptBytes: this.#kept.bytes, requestBytes: this.#requests.takenBytes };
  }

  archiveOf(user: string): RedisArchive {
    const { link, keepSeconds } = this.#options;
    return new RedisArchive({ link, keepSeconds, prefix: `${PREFIX}text:${user}:` });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#garbage.close();
  }

  #made(user: string): ProxyRequestOptions {
    const { link, calls, keepSeconds, isShadow, config, onTrouble, onCall } = this.#options;
    const archive = this.archiveOf(user);
    const live = (kind: string, isOff: boolean): ChangeRequest =>
      liveChanges({
        workspaceRoot: '/',
        config,
        agent: 'proxy',
        isOff,
        memory: this.#kept,
        store: redisStore({ link, keepSeconds, prefix: `${PREFIX}${kind}:${user}:` }),
        archive: (blocks) => archive.keep(blocks),
      });
    return {
      change: isShadow ? inShadow(live('shadow', false), live('conversation', true)) : live('conversation', false),
      memory: this.#requests.of(user),
      onCall: (call) => {
        onCall(call);
        for (const line of missingPriceLines(call)) onTrouble(line);
        const logged = loggedCall(call, { at: Date.now(), agent: 'proxy', isShadow });
        calls.add(user, logged).catch(() => onTrouble('calls could not be noted: the Redis server did not answer'));
      },
      onTrouble,
    };
  }
}
