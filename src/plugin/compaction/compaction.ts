import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../content/counted.ts';
import { asText, isRecord } from '../../content/foreign-value.ts';
import { claudeCode } from '../../content/vocabularies/claude-code.ts';
import { BlockArchive } from '../../disk/block-archive.ts';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { HOUR_MS } from '../../durations.ts';
import { createPruner } from '../../live/pruner.ts';
import type { HookEvent } from '../hook-event.ts';
import { apiMessages, resultTexts } from './api-messages.ts';

/** A request without tools would be a question beside the conversation. */
const TOOLS = [{ name: 'Read' }];
/** No prompt cache lives so long: a compacted prompt is a new one. */
const COLD_MS = 48 * HOUR_MS;
/** A person waits for the agent's own compaction for a minute. */
const MAX_MS = 20_000;

interface CompactionOptions {
  /** The folder of the archive. */
  readonly archive: string;
  /** Where the removed results of each conversation are noted. */
  readonly folder: string;
}

/** What the rules make of a transcript. Tokens are estimated. */
export interface CompactionAnswer {
  /** The new texts of results, by their call. */
  readonly texts: Readonly<Record<string, string>>;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Each removal as one line, the largest first. Files of the work folder are named from there. */
  readonly why: readonly string[];
}

/** The names of results in the archive, by call. */
type Removed = Readonly<Record<string, string>>;

const removedFile = ({ session }: HookEvent, folder: string): string => path.join(folder, `${session}.removed`);

/** What a result was is the text that the first compaction found. @throws the system's error, and SyntaxError if the file is broken. */
function removedIn(file: string): Removed {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return Object.fromEntries(lines.reverse().flatMap((line) => Object.entries(JSON.parse(line) as Removed)));
}

/** Adds a line for each compaction. @throws the system's error. */
async function noteRemoved(file: string, names: Removed): Promise<void> {
  await makeOwnerFolder(path.dirname(file));
  appendFileSync(file, `${JSON.stringify(names)}\n`, { mode: OWNER_FILE_MODE });
}

/**
 * What the rules make of the transcript in this event; undefined if they change nothing. What is removed is in the archive before this
 * returns, unless it is a trial. @throws the system's error; then nothing is to be changed.
 */
export async function compaction(event: HookEvent, options: CompactionOptions): Promise<CompactionAnswer | undefined> {
  const { messages: given, model, trial, undo } = event.fields;
  const messages = apiMessages(given);
  if (messages === undefined) return undefined;
  const before = resultTexts(messages);
  if (undo === true) return restored(event, before, options);
  const archive = new BlockArchive(options.archive);
  let now = 0;
  const pruner = createPruner({
    now: () => now,
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    agent: 'claude-code',
    mostMs: MAX_MS,
    workspaceRoot: event.cwd || '/',
    archive: async (blocks) => (trial === true ? undefined : archive.keep(blocks)),
  });
  const request = { body: { model: asText(model), messages, tools: TOOLS }, conversation: event.session };
  const first = await pruner.prune(request);
  now = COLD_MS;
  const { body, report } = await pruner.prune(request);
  const changed = [...resultTexts(isRecord(body) ? body['messages'] : [])].filter(
    ([id, text]) => text !== before.get(id),
  );
  if (changed.length === 0) return undefined;
  const removed = [...first.report.changed, ...report.changed];
  const names = removed.flatMap(({ callId, hash }) => (hash === undefined ? [] : [[callId, hash]]));
  if (trial !== true) await noteRemoved(removedFile(event, options.folder), Object.fromEntries(names));
  const why = removed
    .sort((a, b) => b.savedTokens - a.savedTokens)
    .map(({ what, reason, savedTokens }) => `${counted(savedTokens, 'token')}: ${what}: ${reason}`)
    .map((line) => (event.cwd === '' ? line : line.replaceAll(`${event.cwd}/`, '')));
  const tokensAfter = report.sentTokens;
  return { texts: Object.fromEntries(changed), tokensBefore: tokensAfter + report.savedTokens, tokensAfter, why };
}

/** The texts that compactions removed and that the archive has. */
async function restored(
  event: HookEvent,
  before: ReadonlyMap<string, string>,
  { archive, folder }: CompactionOptions,
): Promise<CompactionAnswer | undefined> {
  const blocks = new BlockArchive(archive);
  const texts: Record<string, string> = {};
  for (const [id, hash] of Object.entries(removedIn(removedFile(event, folder)))) {
    if (!before.has(id)) continue;
    const { block } = await blocks.find(hash);
    if (block.type === 'tool_response' && typeof block.result === 'string') texts[id] = block.result;
  }
  return Object.keys(texts).length === 0 ? undefined : { texts, tokensBefore: 0, tokensAfter: 0, why: [] };
}
