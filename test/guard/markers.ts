import fc from 'fast-check';
import { removedMarker, wayBack } from '../../src/live/turn/markers.ts';
import { noteOf } from '../../src/strategies/high-density/repeated-lines/line-notes.ts';
import { textLines } from '../../src/strategies/high-density/repeated-lines/text-lines.ts';
import { leftOutMarker, markerWithWayBack } from '../../src/strategies/high-density/shapers/markers.ts';

const label = fc.constantFrom(
  'Read src/a.ts',
  'Bash rg -n "foo bar" src',
  'read C:\\repo\\new.ts',
  'exec_command cat a b',
);
const hash = fc.stringMatching(/^[0-9a-f]{12}$/);
const count = fc.integer({ min: 4, max: 400 });

const noteMarker = fc
  .record({ label, count, start: fc.constantFrom('export function f() {', 'a "b" ⟧ c', '') })
  .map((one) => {
    const text = Array.from({ length: one.count }, (_, at) => `line ${at} of a text`).join('\n');
    const [lines] = textLines({}, () => [text]);
    return noteOf(lines!, { first: 0, last: one.count - 1 }, one);
  });

/** Markers as this version writes them. */
export const marker = fc.oneof(
  noteMarker,
  fc.tuple(noteMarker, hash).map(([note, name]) => markerWithWayBack(note, `recall ${name}`)),
  fc
    .tuple(count, hash)
    .map(([lines, name]) => markerWithWayBack(leftOutMarker(`${lines} lines of tests that passed`), wayBack(name))),
  fc.tuple(label, fc.option(hash)).map(([what, name]) => removedMarker(what, name ?? undefined)),
);

/** What a model changes of a marker that it copies. */
export const DISGUISES: Readonly<Record<string, (marker: string) => string>> = {
  whole: (text) => text,
  'in a longer line': (text) => `const lines = [1, 2]; // ${text} and more`,
  'another hash': (text) => text.replace(/#[0-9a-z]{1,7}/, '#zzz9').replace(/[0-9a-f]{12}/, '0123456789ab'),
  'another count': (text) => text.replace(/\d+ lines/, '7 lines'),
  'other quotes': (text) => text.replace(/, from ".*" #/, ', from “other words” #').replaceAll('"', "'"),
  'without its tail': (text) =>
    text.replace(/(?:, from ".*")?(?: #\w+)?(?:; (?:recall|full text: density show) \w+)?(.)$/, '$1'),
  wrapped: (text) => text.replaceAll(' ', '\n    '),
  'wrapped in a comment': (text) => text.replaceAll(' ', '\n // '),
  'in square brackets': (text) => text.replaceAll('⟦', '[').replaceAll('⟧', ']'),
  'with the number of its line': (text) => `  12→${text}`,
  'in JSON': (text) => JSON.stringify({ text }).replaceAll('⟦', '\\u27e6').replaceAll('⟧', '\\u27e7'),
  'in JSON in JSON': (text) => JSON.stringify(JSON.stringify({ text })),
};
