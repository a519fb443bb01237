import { expect, test } from 'vitest';
import { vocabularyWith } from '../../src/content/tools/own-tools.ts';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { registeredName } from '../../src/offload/registered-strategy.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { SPECIFIED_RULES } from '../../src/strategies/settings/rule-settings.ts';
import { REAL_SERVICES } from './loopback.ts';

const TOOLS = { peek: { role: 'read', pathKeys: ['at'] }, poke: { role: 'write', pathKeys: ['at'] } } as const;
const exchange = (id: string, name: string) =>
  [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters: { at: 'a.ts' } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: name, result: 'text' }] },
  ] as const;
const HISTORY = [...exchange('1', 'peek'), ...exchange('2', 'poke')];
const CONFIG = {
  readWritePruning: true,
  fileDedupe: false,
  recencyPruning: false,
  recencyRetention: 3,
  workspaceRoot: '/p',
};

test.each([
  ['as an option', () => getCompressionStrategy('high-density', { tools: TOOLS })],
  ['as a vocabulary', () => getCompressionStrategy('high-density', { vocabulary: vocabularyWith(TOOLS, llxprt) })],
])('own tools, given %s, prune alike on a thread', (_how, create) => {
  const strategy = create();
  const sent = structuredClone(registeredName(strategy)!);
  const onThread = REAL_SERVICES.strategy(sent.strategy, sent.vocabulary, { debug: () => {} });
  expect(onThread.optimize!(HISTORY, CONFIG)).toEqual(strategy.optimize!(HISTORY, CONFIG));
  expect(onThread.optimize!(HISTORY, CONFIG).removals).toEqual([0, 1]);
});

test('the tools of the rules decide, and changed tools are read again', () => {
  const strategy = getCompressionStrategy('high-density');
  const removals = (tools: readonly string[]) =>
    strategy.optimize!(HISTORY, { ...CONFIG, rules: { ...SPECIFIED_RULES, tools } }).removals;
  expect(removals([])).toEqual([]);
  expect(removals(['read=peek:at', 'write=poke:at'])).toEqual([0, 1]);
  expect(removals(['read=peek:at'])).toEqual([]);
});
