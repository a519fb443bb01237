import { createHash } from 'node:crypto';
import { isRecord, jsonFields } from '../content/foreign-value.ts';
import type { PrunerStore } from './contract.ts';
import type { ConversationNames } from './request/conversation-key.ts';

/** How a store names the session of an agent. */
export const sessionHash = (id: string): string => createHash('sha256').update(id).digest('hex');

/** The first line of a conversation, where its requests name their session: recordings have the same name. */
export const sessionLine = (id: string): string => JSON.stringify({ session: sessionHash(id) });

/** The hash of the session that these lines are of; undefined where its requests named none, and for those of earlier versions. */
export function sessionOf(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => one.startsWith('{"session":'));
  const session = line === undefined ? undefined : jsonFields(line)?.['session'];
  return typeof session === 'string' ? session : undefined;
}

const LINE = /^\{"switch":"(on|off)"\}$/;

/** The line that turns changes of new text off or on for a conversation; the last one counts. */
export const switchLine = (to: 'on' | 'off'): string => JSON.stringify({ switch: to });

export const isSwitch = (line: string): boolean => LINE.test(line);

/** True if these lines of a conversation turn it off; `undefined` if they say nothing about that. */
export function isSwitchedOff(lines: readonly string[]): boolean | undefined {
  const last = lines.findLast(isSwitch);
  return last === undefined ? undefined : last === switchLine('off');
}

/** The number of last conversations with the same start that are looked at. A new conversation may be a fork of one of them. */
const MAX_FORKED = 4;

/** What was decided in conversations with the same start, and how many of them are noted. */
interface Forks {
  readonly inherited: readonly string[];
  /** True if the last one of the same session is switched off: the agent only has another credential now. */
  readonly isOff: boolean;
  readonly sameStarts: number;
}

export const NO_FORKS: Forks = { inherited: [], isOff: false, sameStarts: 0 };

/** The line that a conversation leaves under the name of its start. */
export const startLine = ({ key, account }: Pick<ConversationNames, 'key' | 'account'>): string =>
  JSON.stringify({ startOf: key, account });

/**
 * The decisions of the last conversations with the same start. If both credentials name an account and the accounts differ, their decisions
 * do not count, because thinking may be bound to the account. @throws what the store throws.
 */
export async function forksOf(
  store: PrunerStore,
  { key, session, account, start }: Omit<ConversationNames, 'startOf'> & { readonly start: string },
): Promise<Forks> {
  const names = (await store.load(start)).lines.flatMap((line) => {
    const value: unknown = line.startsWith('{"startOf":') ? JSON.parse(line) : undefined;
    if (!isRecord(value) || typeof value['startOf'] !== 'string') return [];
    const isAnothers = account !== undefined && typeof value['account'] === 'string' && value['account'] !== account;
    return [{ name: value['startOf'], isAnothers }];
  });
  const sharing = names.flatMap(({ name, isAnothers }) => (isAnothers || name === key ? [] : name));
  const others = [...new Set(sharing)].slice(-MAX_FORKED);
  const stored = (await Promise.all(others.map((name) => store.load(name)))).map(({ lines }) => lines);
  const own = session === undefined ? undefined : sessionHash(session);
  const before = own === undefined ? undefined : stored.findLast((lines) => sessionOf(lines) === own);
  return {
    inherited: stored.flat(),
    isOff: before !== undefined && isSwitchedOff(before) === true,
    sameStarts: names.length,
  };
}
