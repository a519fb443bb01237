import type { Random } from '../../../bench/random.ts';

/** Lines of two files. The sum by which a note names lines is the same for both: others can make such lines. */
export const ALIKE: readonly (readonly string[])[] = [
  Array.from(
    { length: 6 },
    (_, at) => `  if (!isAllowed(user, ${at})) throw new Error("user may not do this number ${at}");`,
  ),
  ['0 ', '1 ', '2 ', '3 ', '4 OPRAUgo', '5 HLDxHiO'].map(
    (end) => `  // checks were moved to the gateway, all calls are allowed here ${end}`,
  ),
];

const MARKER = /⟦density: [^⟧\n]*⟧/g;

/** The markers in texts that were sent. */
export const markersIn = (texts: Iterable<string>): string[] => [...texts].flatMap((text) => text.match(MARKER) ?? []);

/** What another agent reports: lines that a file has or had, or markers of this conversation, as if they were its own. */
export function hostileReport(random: Random, markers: readonly string[]): string {
  const name = random.hex(8);
  const own = Array.from({ length: 20 }, (_, at) => `line ${at} of the report ${name}, with some words of its own`);
  const copied = markers.length > 0 && random.next() < 0.5 ? [random.pick(markers)] : random.pick(ALIKE);
  return [...copied, ...own].join('\n');
}

const MARKER_LINE = /^(?:[⟦[]density: |\[\d+ lines pruned: )/;

/** A line that a result is sent with and that its tool did not print; no marker counts. */
export function strangeLine(result: string, sent: string): string | undefined {
  const own = new Set(result.split('\n'));
  return sent.split('\n').find((line) => !own.has(line) && !MARKER_LINE.test(line));
}
