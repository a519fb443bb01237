import { madeOnce } from '../../content/group-by.ts';
import { MINUTE_MS } from '../../durations.ts';
import type { ChangeRequest } from '../../live/exchange/contract.ts';
import { inShadow, liveChanges } from '../../live/exchange/live-changes.ts';
import { KeptMemory } from '../../live/kept-memory.ts';
import type { LivePrunerOptions } from '../../live/live-pruner.ts';
import { loggedCall } from '../../proxy/call-log.ts';
import type { ProxiedCall, ProxyRequestOptions } from '../../proxy/contract.ts';
import { requestMemory } from '../../proxy/intake/request-memory.ts';
import { missingPriceLines } from '../../proxy/ledger/priced-call.ts';
import type { GivenDensityConfig } from '../../strategies/settings/density-config.ts';
import { every } from '../every.ts';
import { garbageOfBodies } from './garbage.ts';
import { redisArchive } from './redis-archive.ts';
import type { RedisLink } from './redis-link.ts';
import { redisStore } from './redis-store.ts';
import type { TeamCalls } from './team-calls.ts';

const PREFIX = 'density:team:';
/** What a replica may remember of conversations; what it drops the server has. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** A conversation that was not used for so long is dropped. */
const IDLE_MS = 15 * MINUTE_MS;

/** What is done to requests. */
export interface TeamChanges extends Pick<LivePrunerOptions, 'cacheMarks' | 'cacheLifetime'> {
  readonly isShadow: boolean;
  readonly config: GivenDensityConfig;
}

interface TeamWorkOptions extends TeamChanges {
  readonly link: RedisLink;
  readonly calls: TeamCalls;
  readonly keepSeconds: number;
  readonly onTrouble: (what: string) => void;
  /** Called with each call, whosever it is. */
  readonly onCall: (call: ProxiedCall) => void;
}

/** What is done to the requests of each user. Nothing of one user is ever seen with another one: each has own keys and own pruners. */
export function teamWork({ link, calls, keepSeconds, isShadow, onTrouble, onCall, ...changes }: TeamWorkOptions) {
  const users = new Map<string, ProxyRequestOptions>();
  const memory = new KeptMemory(MAX_KEPT_BYTES);
  const garbage = garbageOfBodies();
  const requests = requestMemory((bytes) => garbage.add(bytes));
  const endDrops = every(IDLE_MS / 4, () => memory.dropUnused(IDLE_MS));
  const archiveOf = (user: string) => redisArchive({ link, keepSeconds, prefix: `${PREFIX}text:${user}:` });
  const made = (user: string): ProxyRequestOptions => {
    const live = (kind: string, isOff: boolean): ChangeRequest =>
      liveChanges({
        workspaceRoot: '/',
        ...changes,
        agent: 'proxy',
        isOff,
        memory,
        store: redisStore({ link, keepSeconds, prefix: `${PREFIX}${kind}:${user}:` }),
        archive: archiveOf(user).keep,
      });
    return {
      change: isShadow ? inShadow(live('shadow', false), live('conversation', true)) : live('conversation', false),
      memory: requests.of(user),
      onCall: (call) => {
        onCall(call);
        for (const line of missingPriceLines(call)) onTrouble(line);
        const logged = loggedCall(call, { at: Date.now(), agent: 'proxy', isShadow });
        calls.add(user, logged).catch(() => onTrouble('calls could not be noted: the Redis server did not answer'));
      },
      onTrouble,
    };
  };
  return {
    archiveOf,
    optionsOf: (user: string): ProxyRequestOptions => madeOnce(users, user, () => made(user)),
    /** The estimated memory of remembered conversations and of requests in work. */
    memory: () => ({ keptBytes: memory.bytes, requestBytes: requests.takenBytes() }),
    close(): void {
      endDrops();
      garbage.close();
    },
  };
}
