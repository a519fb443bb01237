import { isDeepStrictEqual } from 'node:util';
import type { IContent } from '../../content/content.ts';
import { entriesOf, type SessionEvent } from '../../content/session-event.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { liveHistory, type Session, type SessionFormat } from '../../formats/contract.ts';
import { recordedCacheMinutes } from '../../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf } from '../../sessions/constant-tokens.ts';
import { readSession } from '../../sessions/read-session.ts';
import { blockCounter, type CountBlock, entryCounter } from '../../tokens/entries/block-counter.ts';
import { recommendedRun } from '../recommended-bill.ts';
import { lastCallOf, type Played, type WatchedSession, watchedSession } from './watched-session.ts';

/** A question to the thread. */
export interface WatchQuestion {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Follows a session: what was played of it is not played again while its agent only adds to it. */
export class SessionWatch {
  #played: (Played & { readonly path: string }) | undefined;

  /** The session at `path`, as far as it is written. @throws CompressionStrategyError as `readSession`. */
  async look({ path, now }: WatchQuestion): Promise<WatchedSession> {
    const { session, format } = readSession(fileBytes(path));
    const before = this.#played;
    this.#played = undefined;
    const continued = before?.path === path ? continuedPlay(before, session) : undefined;
    const played = continued ?? newPlay(session, format);
    const watched = await watchedSession(played, { format, now });
    this.#played = { ...played, path };
    return watched;
  }
}

const modelOf = (session: Session): string => {
  const history = liveHistory(session);
  return history[lastCallOf(history).at]?.metadata?.model ?? session.model ?? 'unknown';
};

function factsOf(session: Session, countBlock: CountBlock) {
  const model = modelOf(session);
  const tokensOf = entryCounter(model, countBlock);
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  return { model, tokensOf, constantTokens, cacheMinutes: recordedCacheMinutes(session) };
}

function newPlay(session: Session, { vocabulary }: SessionFormat): Played {
  const countBlock = blockCounter(modelOf(session));
  const billed = { session, vocabulary, ...factsOf(session, countBlock) };
  return { billed, countBlock, run: recommendedRun(billed) };
}

/** What was played before, for a session that has more at its end; undefined if it was changed, or is played in another way. */
function continuedPlay(before: Played, next: Session): Played | undefined {
  const { billed, countBlock } = before;
  const session = continuedSession(billed.session, next);
  if (session === undefined || modelOf(session) !== billed.model) return undefined;
  const { constantTokens, cacheMinutes } = factsOf(session, countBlock);
  const isSame = constantTokens === billed.constantTokens && cacheMinutes === billed.cacheMinutes;
  return isSame ? { ...before, billed: { ...billed, session } } : undefined;
}

/**
 * The session `next` with the objects of `known` in the place of its first events, if it has all of them and perhaps more:
 * what was found about them still holds. Undefined if the agent changed what it had written.
 */
function continuedSession(known: Session, next: Session): Session | undefined {
  const { events: before } = known;
  const { events: after } = next;
  const isContinued =
    after.length >= before.length &&
    known.workspaceRoot === next.workspaceRoot &&
    known.systemText === next.systemText &&
    before.every((event, at) => isDeepStrictEqual(event, after[at]));
  if (!isContinued) return undefined;
  const own = new Map<IContent, IContent>();
  for (const [at, event] of before.entries()) {
    const contents = entriesOf(after[at]!);
    for (const [place, content] of entriesOf(event).entries()) own.set(contents[place]!, content);
  }
  // An entry that is still in the context is the same object as before.
  const more = after.slice(before.length).map((event): SessionEvent => {
    if (event.kind === 'add') return event;
    return { ...event, contents: event.contents.map((content) => own.get(content) ?? content) };
  });
  return { ...next, events: [...before, ...more] };
}
