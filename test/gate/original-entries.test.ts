import { expect, test } from 'vitest';
import { OriginalEntries } from '../../src/gate/original-entries.ts';
import { answer, call, human } from '../history/entries.ts';
import { createScene, density } from './fixtures.ts';

const LONG = { ...answer('c1', 'a'.repeat(400)), metadata: { id: 'long' } };
const entries = [human('a question'), call('c1'), LONG, { ...human('another'), metadata: { id: 'words' } }];

test('an entry that steps change twice is known by its id as it was added', async () => {
  const originals = new OriginalEntries();
  const { gate, strategy, history } = createScene({ entries, onRemoved: originals.note });
  const shorter = (length: number) => ({ ...LONG, blocks: answer('c1', 'a'.repeat(length)).blocks });
  strategy.onOptimize = () => density([], [[2, shorter(40)]]);
  await gate.ensureCompressionBeforeSend('p');
  history.add(human('more'));
  strategy.onOptimize = () => density([], [[2, shorter(4)]]);
  await gate.ensureCompressionBeforeSend('q');
  expect(history.getAll()[2]).toEqual(shorter(4));
  expect(originals.of('long')).toEqual(LONG);
  expect(originals.of('words')).toBeUndefined();
});
