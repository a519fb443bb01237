import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import type { Session } from '../../../src/formats/contract.ts';
import { knownCalls } from '../../../src/lab/known-calls.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { conversationsFolder } from '../../../src/sessions/places/data-folder.ts';
import { sentCalls } from '../../../src/sessions/prompts/sent-calls.ts';
import { sentSession } from '../../../src/sessions/prompts/sent-session.ts';
import { blockCounter, entryCounter } from '../../../src/tokens/entries/block-counter.ts';

const TEXT = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};`).join('\n');
const IDS = ['toolu_01aaaaaaaaaaaaaaaaaaaaaa', 'toolu_01bbbbbbbbbbbbbbbbbbbbbb'];

let data = '';
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'density-data-'));
  vi.stubEnv('XDG_DATA_HOME', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

const MODEL = 'claude-sonnet-4-5';
const tokensOf = entryCounter(MODEL, blockCounter(MODEL));

/** Two requests, of which the second one has a read again: it is sent as a marker. */
async function prune(session: string, ids: readonly string[]): Promise<void> {
  const pruner = createPruner({ api: 'anthropic-messages', store: fileStore(conversationsFolder()) });
  const messages: object[] = [{ role: 'user', content: 'Look.' }];
  for (const id of ids) {
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a' } }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: TEXT }] });
    const body = { model: MODEL, tools: [{ name: 'Read' }], messages: [...messages] };
    await pruner.prune({ body, headers: { 'x-claude-code-session-id': session } });
  }
}

/** What the agent recorded of them. */
function recorded(id: string, ids: readonly string[]): Session {
  const entries = ids.flatMap((callId): IContent[] => [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id: callId, name: 'Read', parameters: { file_path: '/a' } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId, toolName: 'Read', result: TEXT }] },
  ]);
  return { format: 'claude-code', id, events: entries.map((content) => ({ kind: 'add', content })), skipped: [] };
}

test('the calls of a session that was pruned have what pruning removed from them', async () => {
  await prune('own', IDS);
  await prune('other', IDS);
  const session = sentSession(recorded('own', IDS));
  expect(session.isAsSent).toBe(true);
  const removed = knownCalls(session, { tokensOf, constantTokens: 0 }).map(({ removedTokens }) => removedTokens);
  // The first request already has an answer.
  expect(removed.slice(0, 2)).toEqual([0, 0]);
  expect(removed.slice(2)).toEqual([expect.any(Number)]);
  expect(removed[2]).toBeGreaterThan(500);
});

test('a session that was not pruned has its recorded calls', async () => {
  await prune('other', IDS);
  const ids = IDS.map((id) => id.toUpperCase());
  const session = recorded('own', ids);
  expect(sentCalls(session)).toBeUndefined();
  expect(knownCalls(session, { tokensOf, constantTokens: 0 }).map(({ removedTokens }) => removedTokens)).toEqual([
    0, 0,
  ]);
});
