import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ContentBlock, IContent, ToolResponseBlock } from '../../content/content.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import { FrozenDecisions } from '../../live/conversation/frozen.ts';
import { conversationsFolder } from '../places/data-folder.ts';

/** The texts that were sent in place of results, by the ids of their calls, and the hash of what the agent wrote. */
type SentTexts = ReadonlyMap<string, { readonly text: string; readonly hash: string }>;

/** What was read of a file, which only grows. */
const read = new Map<string, { readonly version: string; readonly texts: SentTexts }>();

function sentTexts(file: string, version: string): SentTexts {
  const known = read.get(file);
  if (known?.version === version) return known.texts;
  const { results } = FrozenDecisions.of(readFileSync(file, 'utf8').split('\n'));
  // The name of a result is the id of its call and a hash of its text.
  const texts = new Map(
    [...results.values()].map(({ id, text }) => {
      const end = id.lastIndexOf(' ');
      return [id.slice(0, end), { text, hash: id.slice(end + 1) }];
    }),
  );
  read.set(file, { version, texts });
  return texts;
}

/** Files of conversations that were written since a session began. */
function filesSince(startedAt: number): { readonly file: string; readonly version: string }[] {
  const folder = conversationsFolder();
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    const status = statSync(file, { throwIfNoEntry: false });
    if (!name.endsWith('.jsonl') || status === undefined || status.mtimeMs < startedAt) return [];
    return { file, version: `${status.size} ${status.mtimeMs}` };
  });
}

/** Ids that agents number themselves are in many conversations: then the text must be the same too. */
const isSame = ({ callId, result }: ToolResponseBlock, hash: string): boolean =>
  /[A-Za-z0-9]{16}/.test(callId) ||
  (typeof result === 'string' && createHash('sha1').update(result).digest('base64url') === hash);

function textsFor(session: Session): ReadonlyMap<string, string> {
  const entries = session.events.flatMap((event) => (event.kind === 'add' ? event.content : event.contents));
  const responses = new Map(
    entries.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_response' ? [[block.callId, block] as const] : [])),
    ),
  );
  const startedAt = entries.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp ?? 0;
  const found = new Map<string, string>();
  for (const { file, version } of filesSince(startedAt)) {
    try {
      for (const [callId, { text, hash }] of sentTexts(file, version)) {
        const response = responses.get(callId);
        if (response && isSame(response, hash)) found.set(callId, text);
      }
    } catch {
      // What cannot be read says nothing.
    }
  }
  return found;
}

/**
 * The session as its model saw it: where it ran under `density wrap` or `density proxy`, results have the texts that were sent,
 * by what the data folder knows of their calls; its usage is that of these prompts. The same object where nothing was changed.
 */
export function sentSession(session: Session): Session {
  const texts = textsFor(session);
  if (texts.size === 0) return session;
  const sent = new Map<IContent, IContent>();
  const asSent = (block: ContentBlock): ContentBlock => {
    const text = block.type === 'tool_response' ? texts.get(block.callId) : undefined;
    return text === undefined ? block : { ...(block as ContentBlock & { type: 'tool_response' }), result: text };
  };
  const entryOf = (entry: IContent): IContent => {
    const known = sent.get(entry);
    if (known) return known;
    const blocks = entry.blocks.map(asSent);
    const found = blocks.every((block, at) => block === entry.blocks[at]) ? entry : { ...entry, blocks };
    sent.set(entry, found);
    return found;
  };
  const events = session.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { ...event, content: entryOf(event.content) }
        : { ...event, contents: event.contents.map(entryOf) },
  );
  return { ...session, events };
}
