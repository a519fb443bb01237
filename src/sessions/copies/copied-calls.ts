import { type IContent, paidUsage } from '../../content/content.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { isCopied, type Run, type Session } from '../../formats/contract.ts';

/** The calls of a session file. */
export interface FileCalls extends SessionCalls {
  readonly path: string;
}

const isAnswer = (event: SessionEvent): boolean => event.kind === 'add' && event.content.speaker === 'ai';

/** The indexes as runs; they are in order. */
function runsOf(indexes: readonly number[]): readonly Run[] {
  const runs: [number, number][] = [];
  for (const index of indexes) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index) last[1]++;
    else runs.push([index, index + 1]);
  }
  return runs;
}

/**
 * The calls that other files own, of each file that has any, as runs of its answers. The earliest file owns a call. If files begin together, a copy that `isOurs` comes last, or else the file that ends last, because it continues the other.
 */
export function copiedCalls(
  files: readonly FileCalls[],
  isOurs: (path: string) => boolean,
): ReadonlyMap<string, readonly Run[]> {
  const rank = (file: FileCalls) => [file.startedAt ?? 0, Number(isOurs(file.path)), file.endedAt ?? 0, file.path];
  const ranked = files.map((file) => ({ file, rank: rank(file) }));
  ranked.sort((one, other) => {
    const at = one.rank.findIndex((value, index) => value !== other.rank[index]);
    return at === -1 ? 0 : one.rank[at]! < other.rank[at]! ? -1 : 1;
  });
  const owned = new Set<string>();
  const copied = new Map<string, readonly Run[]>();
  for (const { path, names } of ranked.map(({ file }) => file)) {
    const runs = runsOf(names.flatMap((name, index) => (name !== null && owned.has(name) ? index : [])));
    if (runs.length > 0) copied.set(path, runs);
    for (const name of names) if (name !== null) owned.add(name);
  }
  return copied;
}

/** The session with these runs of its answers, and the events before each of them, as copies beside those that it records. */
export function withCopied(session: Session, calls: readonly Run[] = []): Session {
  if (calls.length === 0) return session;
  const answers = session.events.flatMap((event, index) => (isAnswer(event) ? index : []));
  const runs = calls.flatMap(([start, end]): readonly Run[] => {
    const last = answers[end - 1];
    return last === undefined ? [] : [[start === 0 ? 0 : answers[start - 1]! + 1, last + 1]];
  });
  return { ...session, copied: [...(session.copied ?? []), ...runs] };
}

/** Its answers that are copies. */
export const copiedAnswers = (session: Session): readonly IContent[] =>
  session.events.flatMap((event, at) =>
    event.kind === 'add' && isAnswer(event) && isCopied(session, at) ? event.content : [],
  );

/** The model calls of a session, by what names them in each copy of it. */
interface SessionCalls {
  /** One for each answer, in their order; null where nothing that is recorded tells it from others. */
  readonly names: readonly (string | null)[];
  /** When the session began and when its last answer ended, in milliseconds since 1970. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** An agent that names no answers copies their times and token counts with them. */
function nameOf({ metadata = {} }: IContent, { workspaceRoot }: Session): string | null {
  const { answerId, timestamp, model } = metadata;
  const usage = paidUsage(metadata);
  if (answerId !== undefined) return answerId;
  if (timestamp === undefined) return null;
  return [timestamp, model, usage?.promptTokens, usage?.completionTokens, workspaceRoot].join(' ');
}

/** The calls of a session. Linear. */
export function sessionCalls(session: Session): SessionCalls {
  const added = session.events.flatMap((event) => (event.kind === 'add' ? event.content : []));
  const answers = added.filter(({ speaker }) => speaker === 'ai');
  const startedAt = added.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp;
  const endedAt = answers.at(-1)?.metadata?.timestamp;
  return {
    names: answers.map((answer) => nameOf(answer, session)),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}
