import { isDeepStrictEqual } from 'node:util';
import type { IContent } from '../../content/content.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';

/**
 * The session `next` with the objects of `known` in the place of its first events, if it has all of them and perhaps more:
 * what was found about them still holds. Undefined if the agent changed what it had written.
 */
export function continuedSession(known: Session, next: Session): Session | undefined {
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
    const contents = contentsOf(after[at]!);
    for (const [place, content] of contentsOf(event).entries()) own.set(contents[place]!, content);
  }
  // An entry that is still in the context is the same object as before.
  const more = after.slice(before.length).map((event): SessionEvent => {
    if (event.kind === 'add') return event;
    return { ...event, contents: event.contents.map((content) => own.get(content) ?? content) };
  });
  return { ...next, events: [...before, ...more] };
}

const contentsOf = (event: SessionEvent): readonly IContent[] =>
  event.kind === 'add' ? [event.content] : event.contents;
