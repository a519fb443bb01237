import type { ToolCallBlock } from '../content/content.ts';
import type { CopiedMarker } from './contract.ts';
import { callHash, type GuardedCall, type GuardKind, type GuardLog, guardedSession } from './guard-log.ts';
import { refusalOf } from './refusal.ts';

/** Where a call is made. */
export interface CallSite {
  readonly agent: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const noted = (
  { name, ...call }: ToolCallBlock,
  { standsFor }: CopiedMarker,
  { session, ...site }: CallSite,
  kind: GuardKind,
): GuardedCall => ({
  ...site,
  ...{ kind, tool: name, standsFor, session: guardedSession(session), call: callHash({ name, ...call }) },
});

/**
 * Why a call that would write a marker is not run; `undefined` if it was refused before in this session, so that it is meant. Both are
 * noted first. @throws the system's error where they cannot be: then the call runs, because it would be refused for ever.
 */
export async function refusedFor(
  call: ToolCallBlock,
  copy: CopiedMarker,
  { log, ...site }: CallSite & { readonly log: GuardLog },
): Promise<string | undefined> {
  const now = noted(call, copy, site, 'refused');
  const isMeant = log.calls().some((one) => one.call === now.call && one.session === now.session);
  await log.add(isMeant ? { ...now, kind: 'passed' } : now);
  return isMeant ? undefined : refusalOf(copy);
}

/** Notes that the result of a call says that it wrote a marker. @throws the system's error. */
export const noteTold = (
  call: ToolCallBlock,
  copy: CopiedMarker,
  { log, ...site }: CallSite & { readonly log: GuardLog },
): Promise<void> => log.add(noted(call, copy, site, 'told'));
