import { readFile } from 'node:fs/promises';
import { conversationsFolder, shadowFolder } from '../places/data-folder.ts';
import { type ConversationFile, conversationFiles } from '../prompts/conversation-files.ts';

/** How markers name a block; its name is the start of its hash. */
const NAME = /density show ([0-9a-f]{12})/g;

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
