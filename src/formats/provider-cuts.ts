import type { IContent } from '../content/content.ts';
import { hidesEarlier, stillRead } from '../content/seen-from.ts';
import { entriesOf, type SessionEvent } from '../content/session-event.ts';
import { liveHistory, type Run, type Session, type SessionFormat } from './contract.ts';

/**
 * The format with sessions in which a provider's summary ends what was before it: that is not in the context any more, and
 * `write` keeps it in the file, where the agent has it.
 */
export const withProviderCuts = (format: SessionFormat): SessionFormat => {
  const { read, write, companion } = format;
  return {
    ...format,
    read: (lines) => cutSession(read(lines)),
    ...(write && {
      write: (lines, history) =>
        write(
          lines,
          uncut(history, () => read(lines)),
        ),
    }),
    ...(companion && {
      companion: {
        ...companion,
        write: (bytes, change) =>
          companion.write(bytes, { ...change, history: uncut(change.history, () => read(change.lines)) }),
      },
    }),
  };
};

function cutSession(session: Session): Session {
  if (!session.events.some((event) => entriesOf(event).some(hidesEarlier))) return session;
  const events: SessionEvent[] = [];
  /** Where each event of the file is among these. */
  const places: number[] = [];
  let live: IContent[] = [];
  for (const event of session.events) {
    places.push(events.length);
    if (event.kind === 'replace') {
      live = [...stillRead(event.contents)];
      events.push({ ...event, contents: [...live] });
      continue;
    }
    const { content } = event;
    const left = hidesEarlier(content) ? stillRead([...live, content]).slice(0, -1) : live;
    if (left.length < live.length) {
      events.push({ kind: 'replace', contents: left, by: { kind: 'compaction' } });
      live = [...left];
    }
    events.push(event);
    live.push(content);
  }
  const moved = ([start, end]: Run): Run => [places[start] ?? events.length, places[end] ?? events.length];
  return { ...session, events, ...(session.copied && { copied: session.copied.map(moved) }) };
}

/** The history with what the file has before the provider's summary; the same where the summary is gone, or there is none. */
function uncut(history: readonly IContent[], read: () => Session): readonly IContent[] {
  if (!history.some(hidesEarlier)) return history;
  const whole = liveHistory(read());
  const seen = new Set<unknown>(stillRead(whole).map(({ metadata }) => metadata?.id));
  const places = new Map<unknown, number>(whole.map(({ metadata }, at) => [metadata?.id, at]));
  let next = 0;
  return history.flatMap((entry) => {
    const hidden: IContent[] = [];
    for (const end = places.get(entry.metadata?.id) ?? 0; next < end; next++)
      if (!seen.has(whole[next]!.metadata?.id)) hidden.push(whole[next]!);
    return [...hidden, entry];
  });
}
