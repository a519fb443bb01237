import { readFile } from 'node:fs/promises';
import { isRecord, jsonFields } from '../../content/foreign-value.ts';
import { sessionOf } from '../../live/stored-lines.ts';
import { conversationsFolder, shadowFolder } from '../places/data-folder.ts';
import { type ConversationFile, conversationFiles } from '../prompts/conversation-files.ts';

/** How markers name a block; its name is the start of its hash. */
const NAME = /density show ([0-9a-f]{12})/g;

/** What a conversation that ran here names of the archive. */
export interface NamingConversation {
  /** The hash of the agent's session, where its requests named it. */
  readonly session: string | undefined;
  /** First digits of hashes of blocks. */
  readonly names: ReadonlySet<string>;
  /** Its results that had another form: the id of the call, a blank, and a hash of the text. */
  readonly results: readonly string[];
}

const files = (): readonly ConversationFile[] => [conversationsFolder(), shadowFolder()].flatMap(conversationFiles);

const namesIn = (text: string): Set<string> => new Set([...text.matchAll(NAME)].map(([, name]) => name!));

/** The names of blocks in the conversations that were used since then. @throws the system's error. */
export async function namedSince(sinceMs: number): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const { path, changedAt } of files()) {
    if (changedAt < sinceMs) continue;
    for (const name of namesIn(await readFile(path, 'utf8'))) named.add(name);
  }
  return named;
}

/** All conversations that ran here, one at a time. @throws the system's error. */
export async function* namingConversations(): AsyncGenerator<NamingConversation> {
  for (const { path } of files()) {
    const text = await readFile(path, 'utf8');
    const lines = text.split('\n');
    const results = lines.flatMap((line) => frozenId(line) ?? []);
    yield { session: sessionOf(lines), names: namesIn(text), results };
  }
}

/** The result that gets another form by this line. */
function frozenId(line: string): string | undefined {
  if (!line.startsWith('{"freeze":')) return undefined;
  // A writer that was killed leaves a part of one.
  const frozen = jsonFields(line)?.['freeze'];
  return isRecord(frozen) && typeof frozen['id'] === 'string' ? frozen['id'] : undefined;
}
