import type { IContent } from '../../content/content.ts';
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
function nameOf({ metadata = {} }: IContent): string | null {
  const { answerId, timestamp, model, usage } = metadata;
  if (answerId !== undefined) return answerId;
  return timestamp === undefined
    ? null
    : [timestamp, model, usage?.promptTokens, usage?.completionTokens].map(String).join(' ');
}

/** The calls of a session. Linear. */
export function sessionCalls({ events }: Session): SessionCalls {
  const added = events.flatMap((event) => (event.kind === 'add' ? event.content : []));
  const answers = added.filter(({ speaker }) => speaker === 'ai');
  const startedAt = added.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp;
  const endedAt = answers.at(-1)?.metadata?.timestamp;
  return {
    names: answers.map(nameOf),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}
