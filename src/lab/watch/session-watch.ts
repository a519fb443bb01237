import { fileBytes } from '../../disk/file-bytes.ts';
import { liveHistory, type Session, type SessionFormat } from '../../formats/contract.ts';
import { constantTokensOf } from '../../sessions/constant-tokens.ts';
import { readSession } from '../../sessions/read-session.ts';
import { blockCounter, type CountBlock, entryCounter } from '../../tokens/entries/block-counter.ts';
import { recommendedRun } from '../recommended-bill.ts';
import { continuedSession } from './continued-session.ts';
import { lastCallOf, type Played, type WatchedSession, watchedSession } from './watched-session.ts';

const HOUR_MINUTES = 60;

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

/** True if any call wrote text for an hour. */
const hasHourWrites = ({ events }: Session): boolean =>
  events.some((event) => event.kind === 'add' && (event.content.metadata?.usage?.writtenHourTokens ?? 0) > 0);

const modelOf = (session: Session): string => {
  const history = liveHistory(session);
  return history[lastCallOf(history).at]?.metadata?.model ?? session.model ?? 'unknown';
};

function factsOf(session: Session, countBlock: CountBlock) {
  const model = modelOf(session);
  const tokensOf = entryCounter(model, countBlock);
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  return { model, tokensOf, constantTokens, cacheMinutes: hasHourWrites(session) ? HOUR_MINUTES : undefined };
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
