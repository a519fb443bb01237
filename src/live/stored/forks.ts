import { isRecord } from '../../content/foreign-value.ts';
import type { PrunerStore } from '../contract.ts';
import type { ConversationNames } from '../request/conversation-key.ts';
import { sessionHash, sessionOf } from './session-line.ts';
import { isSwitchedOff } from './switch.ts';

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
