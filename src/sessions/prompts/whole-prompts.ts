import type { IContent } from '../../content/content.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import type { ReadSession } from '../read-session.ts';
import { countedBefore, hasReport, reportName, sharedCounter } from './prompts-left.ts';

/**
 * The session as it is recorded, for another file, which nothing says of that its texts were shortened on their way: where they
 * were, its usage is an estimate of the whole prompts, with what the provider reported beside it.
 */
export function withWholePrompts({ session, recorded }: Pick<ReadSession, 'session' | 'recorded'>): Session {
  if (session === recorded) return recorded;
  const tokensOf = sharedCounter(recorded.model ?? 'unknown');
  const [sent, whole] = [countedBefore(session, tokensOf), countedBefore(recorded, tokensOf)];
  const entryOf = (entry: IContent): IContent => {
    const usage = entry.metadata?.usage;
    if (!usage || !hasReport(entry)) return entry;
    const name = reportName(usage);
    const promptTokens = usage.promptTokens + (whole.get(name) ?? 0) - (sent.get(name) ?? 0);
    if (promptTokens === usage.promptTokens) return entry;
    const totalTokens = promptTokens + usage.completionTokens;
    const estimate = { promptTokens, completionTokens: usage.completionTokens, totalTokens, cachedTokens: 0 };
    return { ...entry, metadata: { ...entry.metadata, usage: { ...estimate, reported: usage.reported ?? usage } } };
  };
  const events = recorded.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { ...event, content: entryOf(event.content) }
        : { ...event, contents: event.contents.map(entryOf) },
  );
  return { ...recorded, events };
}
