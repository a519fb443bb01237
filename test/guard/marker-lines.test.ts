import { describe, expect, test } from 'vitest';
import { markerLines } from '../../src/guard/marker-lines.ts';
import { DISGUISES } from './markers.ts';

const MARKER = '[density: Read a.ts, removed; full text: density show 07ff8c5d1eea]';

describe('lines of a file with a marker', () => {
  test.each(['whole', 'in a longer line', 'another hash', 'with the number of its line'])('%s', (name) => {
    for (const marker of [MARKER, '⟦density: 4 lines as shown above by Read src/a.ts, from "x" #1ubub9a⟧'])
      expect(markerLines(`one\n${DISGUISES[name]!(marker)}\n`).map(({ line }) => line)).toEqual([2]);
  });

  test.each(['a line', 'density: 4', '⟦density: …', '[density: high]', 'const OPEN = "⟦density: ";'])(
    'none in %s',
    (text) => {
      expect(markerLines(text)).toEqual([]);
    },
  );
});
