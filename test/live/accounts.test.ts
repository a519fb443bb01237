import { expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { LiveRequest } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { staleRead } from './stale-reads.ts';

const HOUR_MS = 3_600_000;
const MESSAGES: readonly object[] = [
  { role: 'user', content: 'start' },
  ...Array.from({ length: 12 }, (_, at) => `f${at}`).flatMap(staleRead),
];

type Headers = LiveRequest['headers'];
type Sent = readonly object[];

/** Each request adds two messages and comes an hour after the one before; `headersOf` has those of the request with that number. */
async function sentBy(
  headersOf: (request: number) => Headers,
): Promise<{ sent: Sent[]; names: (string | undefined)[] }> {
  let nowMs = 0;
  const pruner = createPruner({
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    workspaceRoot: '/',
    store: memoryStore(),
    now: () => nowMs,
    archive: async () => {},
  });
  const sent: Sent[] = [];
  const names: (string | undefined)[] = [];
  for (let request = 0; 2 * request + 1 <= MESSAGES.length; request++) {
    nowMs += HOUR_MS;
    const body = { model: 'claude-opus-5', tools: [{ name: 'Read' }], messages: MESSAGES.slice(0, 2 * request + 1) };
    const headers = { 'x-claude-code-session-id': 'session', ...headersOf(request) };
    const { body: pruned, report } = await pruner.prune({ body, headers });
    sent.push((pruned as unknown as { messages: Sent }).messages);
    names.push(report.conversation);
  }
  return { sent, names };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object): string => `Bearer ${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmVk`;
const isPruned = (sent: Sent): boolean => JSON.stringify(sent).includes('density');

test('a token that is refreshed every hour goes on with its conversation, if it names its account', async () => {
  const named = await sentBy((exp) => ({ authorization: token({ iss: 'issuer', sub: 'person', exp }) }));
  expect(new Set(named.names).size).toBe(1);
  const one = await sentBy(() => ({ authorization: token({ iss: 'issuer', sub: 'person', exp: 0 }) }));
  expect(named.sent).toEqual(one.sent);
  expect(isPruned(named.sent.at(-1)!)).toBe(true);
});

test('a token that names no account inherits what was decided with the one before', async () => {
  const { sent, names } = await sentBy((request) => ({ authorization: `Bearer opaque-${request}` }));
  expect(new Set(names).size).toBe(names.length);
  const prunedAt = sent.findIndex(isPruned);
  expect(prunedAt).toBeGreaterThan(0);
  for (const later of sent.slice(prunedAt)) expect(isPruned(later)).toBe(true);
});

const ALTERNATING: readonly (readonly [string, (account: string) => Headers])[] = [
  ['keys', (account) => ({ 'x-api-key': account })],
  ['tokens', (account) => ({ authorization: token({ iss: 'issuer', sub: account }) })],
  ['workspaces of a token', (account) => ({ authorization: token({ sub: 'person' }), 'chatgpt-account-id': account })],
];

test.each(ALTERNATING)('two accounts of one conversation share no decision: %s', async (_, headersOf) => {
  const FIRST_OF_OTHER = 20;
  const { sent, names } = await sentBy((request) => headersOf(request < FIRST_OF_OTHER ? 'a' : 'b'));
  expect(new Set(names.slice(0, FIRST_OF_OTHER)).size).toBe(1);
  expect(names[FIRST_OF_OTHER]).not.toBe(names[0]);
  expect(isPruned(sent[FIRST_OF_OTHER - 1]!)).toBe(true);
  // Its first request is what an agent that was never seen sends.
  const alone = createPruner({
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    workspaceRoot: '/',
    store: memoryStore(),
    archive: async () => {},
  });
  const messages = MESSAGES.slice(0, 2 * FIRST_OF_OTHER + 1);
  const { body } = await alone.prune({ body: { model: 'claude-opus-5', tools: [{ name: 'Read' }], messages } });
  expect(sent[FIRST_OF_OTHER]).toEqual(body.messages);
});
