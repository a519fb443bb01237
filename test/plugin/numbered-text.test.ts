import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileOfNumbered, fittedToNumbers, numbered } from '../../src/plugin/numbered-text.ts';

const line = fc.constantFrom(
  '',
  'const a = 1;',
  '12\tof a table',
  '⟦density: 4 lines as shown above by Read a.ts #x⟧',
  '\r',
);

/** Runs of lines, of which some became a marker, as a shaper leaves them. */
const runs = fc.array(fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 4 }), isMarker: fc.boolean() }), {
  minLength: 1,
  maxLength: 7,
});

test('each line of a file that is left has its own number, markers are at the start and the end alone, and nothing else is lost', () => {
  let fitted = 0;
  let restored = 0;
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 5_000 }), (parts, startLine) => {
      const lines = parts.flatMap((part) => part.lines);
      const text = numbered(lines.join('\n'), startLine);
      const shown = text.split('\n');
      let at = 0;
      const form = parts.flatMap(({ lines: { length }, isMarker }, part) => {
        at += length;
        return isMarker ? [`⟦part ${part}⟧`] : shown.slice(at - length, at);
      });
      const fit = fittedToNumbers(form.join('\n'), text, startLine);
      const {
        content,
        startLine: first,
        numLines,
      } = fileOfNumbered(fit, startLine) as Record<'content', string> & Record<'startLine' | 'numLines', number>;
      // What Claude Code makes of it.
      const result = numbered(content, first).split('\n');
      expect(result).toHaveLength(numLines);
      const isMarker = result.map((one) => /^\d+\t⟦part \d+⟧$/.test(one));
      const kept = result.filter((_, one) => !isMarker[one]);
      const from = kept.length === 0 ? 0 : shown.indexOf(kept[0]!);
      expect(kept).toEqual(shown.slice(from, from + kept.length));
      const firstKept = isMarker.indexOf(false);
      const lastKept = isMarker.lastIndexOf(false);
      expect(isMarker.slice(Math.max(firstKept, 0), lastKept + 1)).not.toContain(true);
      // What is not left is behind the markers at the start and at the end.
      const isKept = parts.map((one) => !one.isMarker);
      const before = isKept.indexOf(true);
      const after = isKept.lastIndexOf(true);
      const markers = before === -1 ? parts.length : before + parts.length - 1 - after;
      expect(isMarker.filter(Boolean)).toHaveLength(markers);
      if (markers > 0 && kept.length > 0) fitted++;
      if (fit !== form.join('\n')) restored++;
    }),
    { numRuns: 100 },
  );
  expect(Math.min(fitted, restored)).toBeGreaterThan(5);
});
