import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { isRecord } from '../../../src/content/foreign-value.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { readContent } from '../../../src/formats/anthropic/anthropic-content.ts';
import type { ApiName } from '../../../src/formats/api-path.ts';
import type { Session } from '../../../src/formats/contract.ts';
import { sentSession } from '../../../src/sessions/prompts/sent-session.ts';
import { Agent } from '../live/recorded-calls.ts';

/** A copy of a session, and the agent that goes on with it. */
export interface ResumedCopy {
  readonly session: Session;
  readonly agent: Agent;
}

/** The copy that `density optimize --start` writes of a session whose answers an agent heard. */
export function resumedCopy(session: Session, heardBy: Agent, api: ApiName): ResumedCopy {
  const recorded = new Map<IContent, IContent>();
  const recordedOf = (entry: IContent): IContent => {
    const known = recorded.get(entry) ?? withThinking(entry, thinkingOf(heardOf(entry, heardBy)));
    recorded.set(entry, known);
    return known;
  };
  // Its entries are other objects, as another process would read them.
  const copy = {
    ...structuredClone(sentSession({ ...session, events: changed(session, recordedOf) })),
    id: 'the copy',
  };
  const agent = new Agent(api);
  for (const event of copy.events)
    for (const entry of event.kind === 'add' ? [event.content] : event.contents) {
      const heard = heardOf(entry, heardBy);
      if (heard && (entry.blocks.some(isThinking) || thinkingOf(heard).length === 0))
        agent.hear(entry.metadata!.id!, heard);
    }
  return { session: copy, agent };
}

const changed = ({ events }: Session, change: (entry: IContent) => IContent): SessionEvent[] =>
  events.map((event) =>
    event.kind === 'add'
      ? { ...event, content: change(event.content) }
      : { ...event, contents: event.contents.map(change) },
  );

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking';

const heardOf = ({ speaker, metadata }: IContent, agent: Agent): readonly unknown[] | undefined =>
  speaker === 'ai' ? agent.heard(metadata?.id ?? '') : undefined;

/** The thinking that the provider signed. */
const thinkingOf = (answer: readonly unknown[] = []): ContentBlock[] =>
  answer.flatMap((message) =>
    isRecord(message)
      ? readContent(message['content'], () => '').flatMap(({ block }) => (isThinking(block) ? block : []))
      : [],
  );

const withThinking = (entry: IContent, thinking: readonly ContentBlock[]): IContent => ({
  ...entry,
  blocks: [...thinking, ...entry.blocks.filter((block) => !isThinking(block))],
});
