import type { Session } from './session.ts';

/** It counts the tokens of its own paths. */
const LEFT = /\d+ tokens left/g;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g;

/** What the agent keeps of a conversation and sends of it, without what differs between two runs of the agent alone: ids, its home and what counts them. */
export interface Seen {
  readonly request: string;
  readonly transcript: string;
}

function plain(text: string, { home }: Session): string {
  return text
    .replaceAll(home, 'HOME')
    .replaceAll(home.replaceAll('/', '-'), 'HOME')
    .replace(ID, 'ID')
    .replace(LEFT, 'tokens left');
}

interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly message?: { readonly role: string; readonly content: unknown };
}

/** What is said in a transcript, line by line; other lines are of the agent's own, with times. */
function saidIn(transcript: string): string {
  return transcript
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .flatMap(({ type, subtype, message }) =>
      message === undefined && subtype === undefined
        ? []
        : [JSON.stringify([type, subtype, message?.role, message?.content])],
    )
    .join('\n');
}

export function seenOf(session: Session): Seen {
  const { metadata, ...body } = session.requests.at(-1)!.body as Record<string, unknown>;
  return { request: plain(JSON.stringify(body), session), transcript: plain(saidIn(session.transcript), session) };
}

/** The first place where two texts differ, with what is around it; `undefined`: they are the same. */
export function difference(one: string, other: string): string | undefined {
  if (one === other) return undefined;
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `${around(one)} and ${around(other)}`;
}
