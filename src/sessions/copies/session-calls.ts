import { type IContent, paidUsage } from '../../content/content.ts';
import type { Session } from '../../formats/contract.ts';

/** The model calls of a session, by what names them in each copy of it. */
export interface SessionCalls {
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
