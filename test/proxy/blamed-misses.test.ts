import { beforeEach, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { MISS_CAUSES } from '../../src/economics/cache-miss.ts';
import type { Pruner } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import { callOf } from './live-calls.ts';

const TEXT = Array.from({ length: 400 }, (_, at) => `line ${at + 1} of the file with words enough for a note`).join(
  '\n',
);
const user = (content: unknown): object => ({ role: 'user', content });
const read = (id: string): readonly object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/b.ts' } }] },
  user([{ type: 'tool_result', tool_use_id: id, content: TEXT }]),
];
const START = [user('some words of a task. '.repeat(2_000)), ...read('t1')];
const TWICE = [...START, ...read('t2')];
const LATER = [...TWICE, { role: 'assistant', content: 'Done.' }, user('Go on.')];
const PROMPT = 20_000;

let pruner: Pruner;
let ledger: Ledger;
let minute = 0;
beforeEach(() => {
  minute = 0;
  pruner = createPruner({
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    workspaceRoot: '/',
    archive: async () => {},
  });
  ledger = new Ledger();
});

/** Sends a request whose provider reads so much from its cache; what it left out of the prompt. */
async function send(messages: readonly object[], { cached = PROMPT, description = 'Reads a file.' } = {}) {
  const body = { model: 'claude-sonnet-4-5', tools: [{ name: 'Read', description }], messages };
  const { report } = await pruner.prune({ body, conversation: 'c' });
  await pruner.observe(report, { status: 200, cachedTokens: cached });
  ledger.add(callOf({ minute: minute++, prompt: PROMPT, cached, report }));
  return report;
}

const blamed = () => {
  const { account, net } = ledger.numbers();
  return {
    causes: MISS_CAUSES.filter((cause) => account[cause] !== undefined),
    rewritten: net.reduce((sum, { rewriteDollars }) => sum + rewriteDollars, 0),
  };
};

test.each([
  ['after the description of a tool changed', LATER, 'Reads a file of the computer.', 'tools'],
  ['of an equal request', TWICE, undefined, 'lost'],
  ['of a request that only goes on', LATER, undefined, 'lost'],
])('a miss %s is not charged to what was left out before', async (_, messages, description, cause) => {
  await send(START, { cached: 0 });
  expect((await send(TWICE)).savedTokens).toBeGreaterThan(1_000);
  const { projected } = await send(messages, { cached: 0, ...(description && { description }) });
  expect(projected).toBe(1);
  expect(blamed()).toEqual({ causes: [cause], rewritten: 0 });
});
