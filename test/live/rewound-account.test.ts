import { expect, test } from 'vitest';
import { savedDollars } from '../../src/economics/account/saved-dollars.ts';
import { costRules } from '../../src/economics/cost-rules.ts';
import { Branch } from '../../src/live/conversation/branch.ts';
import { FrozenDecisions } from '../../src/live/conversation/frozen.ts';
import { bytesList } from '../../src/live/request/bytes-list.ts';
import { LIVE_DIALECTS } from '../../src/live/request/dialects.ts';
import { Slices } from '../../src/live/turn/slices.ts';
import { promptCounter } from '../../src/tokens/entries/prompt-counter.ts';

const dialect = LIVE_DIALECTS['anthropic-messages'];
const rules = costRules({ model: 'claude-sonnet-4-5', callsMade: 3 });
const user = (content: string) => ({ role: 'user', content });
const answer = (text: string) => ({ role: 'assistant', content: text });
const LONG = 'a long message '.repeat(2_000);
const following = () => ({ slices: new Slices(1_000), counter: promptCounter('m') });
const listOf = (messages: readonly object[]) =>
  bytesList(Buffer.from(JSON.stringify({ model: 'm', messages })), {
    key: 'messages',
    before: undefined,
    slices: new Slices(1_000),
  });

test('a request that leaves the last messages out shares the tokens of those before with the last prompt', async () => {
  const branch = new Branch(dialect, new FrozenDecisions());
  branch.constantTokens = 1_000;
  const start = [user(LONG), answer('one'), user(LONG)];
  const before = new Branch(dialect, new FrozenDecisions());
  before.constantTokens = 1_000;
  await before.follow(await listOf([...start, answer('two'), user(LONG)]), 0, following());
  before.projection.extend(before.history, before.decisions.results);
  before.noteCall({ idleMs: undefined, sharedEntries: 0 });
  branch.leave(before, 3, dialect);
  branch.decisions = new FrozenDecisions(before.decisions);
  await branch.follow(await listOf([...start, answer('another'), user('short')]), 3, following());
  branch.projection.extend(branch.history, branch.decisions.results);
  branch.noteCall({ idleMs: 1_000, sharedEntries: branch.history.startOf(3) });
  const { calls } = branch.decisions.calls;
  const shared = branch.history.tokens.slice(0, 3).reduce((sum, tokens) => sum + tokens, 1_000);
  expect(shared).toBeGreaterThan(15_000);
  expect(calls.map(({ left }) => left)).toEqual([
    { tokens: 0, unprunedTokens: 0 },
    { tokens: shared, unprunedTokens: shared },
  ]);
  expect(calls.at(-1)?.keptTokens).toBe(shared);
  expect(savedDollars(calls, rules)).toBe(0);
});
