import { randomUUID } from 'node:crypto';
import { type Fields, jsonFields } from '../../content/foreign-value.ts';
import type { PrunerStore } from '../../live/contract.ts';

/** After so many pings in a row that read too little, none of the same model and account is sent until tomorrow. */
const MOST_MISSES = 2;

/** What became of a ping. */
export interface SettledPing {
  readonly dollars: number;
  /** True if it read what it should keep; absent if that is not known. */
  readonly isHit?: boolean;
}

/** Notes what became of a ping. */
export type Settle = (ping: SettledPing) => Promise<void>;

interface PingDaysOptions {
  /** Everybody who shares it shares the amount of the day. */
  readonly store: PrunerStore;
  readonly dollarsPerDay: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** By the calendar of this computer. */
function dayOf(atMs: number): string {
  const at = new Date(atMs);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return `pings-${parts.map((part) => String(part).padStart(2, '0')).join('-')}`;
}

/** What pings may cost in a day, and whether they work: the pings of a day are lines of a store. */
export class PingDays {
  readonly #options: PingDaysOptions;

  constructor(options: PingDaysOptions) {
    this.#options = options;
  }

  /**
   * Notes a ping before it is sent; `of` names its model and account. Undefined if the amount of the day is used up, or if pings do not
   * work today. Two who reserve the last cents at once both get none. @throws what the store throws.
   */
  async reserve(of: string, dollars: number): Promise<Settle | undefined> {
    const { store, dollarsPerDay, now } = this.#options;
    const day = dayOf(now());
    const id = randomUUID();
    const note = async (more: SettledPing): Promise<void> => {
      await store.append(day, [JSON.stringify({ id, of, ...more })]);
    };
    await note({ dollars });
    const pings = pingsIn((await store.load(day)).lines);
    const spent = [...pings.values()].reduce((sum, ping) => sum + ping.dollars, 0);
    const known = [...pings.values()].filter((ping) => ping.of === of && ping.isHit !== undefined);
    const isBlocked = known.length >= MOST_MISSES && known.slice(-MOST_MISSES).every(({ isHit }) => !isHit);
    if (spent <= dollarsPerDay && !isBlocked) return note;
    await note({ dollars: 0 });
    return undefined;
  }
}

interface NotedPing extends SettledPing {
  readonly of: string;
}

const isPing = (fields: Fields | undefined): fields is Fields & NotedPing & { readonly id: string } =>
  typeof fields?.['id'] === 'string' && typeof fields['of'] === 'string' && typeof fields['dollars'] === 'number';

/** Each ping as its last line has it, in the order in which that was settled. */
function pingsIn(lines: readonly string[]): ReadonlyMap<string, NotedPing> {
  const pings = new Map<string, NotedPing>();
  for (const line of lines) {
    const fields = jsonFields(line);
    if (!isPing(fields)) continue;
    pings.delete(fields.id);
    pings.set(fields.id, fields);
  }
  return pings;
}
