import { expect, test } from 'vitest';
import { addTo, groupBy } from '../../src/content/group-by.ts';

test('groups and their items keep the order of the input', () => {
  const groups = groupBy(['pear', 'fig', 'plum', 'apple'], (word) => word[0]);
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum']],
    ['f', ['fig']],
    ['a', ['apple']],
  ]);
  addTo(groups, 'f', 'fennel');
  addTo(groups, 'q', 'quince');
  expect([groups.get('f'), groups.get('q')]).toEqual([['fig', 'fennel'], ['quince']]);
});
