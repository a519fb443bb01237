import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat, formatNamed, SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOf, linesOfText, parseLine } from '../../src/formats/lines/lines.ts';
import { spoken } from '../contracts/format.ts';
import { SAMPLES } from './samples.ts';

const ofLines = SESSION_FORMATS.filter(({ name }) => SAMPLES[name]?.shape === 'lines');
const whole = ({ name }: (typeof ofLines)[number]): readonly string[] =>
  (SAMPLES[name]?.texts ?? []).filter((text) => formatNamed(name).read(linesOfText(text)).skipped.length === 0);
const NULS = '\0'.repeat(9);

/** The text with one line damaged in this way; a write may stop at any sign. */
const DAMAGES: Readonly<Record<string, (lines: readonly string[], at: number) => readonly string[]>> = {
  'the next record behind it': (lines, at) => lines.toSpliced(at, 2, `${lines[at]}${lines[at + 1] ?? ''}`),
  'NUL bytes before it': (lines, at) => lines.with(at, `${NULS}${lines[at]}`),
  'NUL bytes behind it': (lines, at) => lines.with(at, `${lines[at]}${NULS}`),
  'its own start before it, cut in a text': (lines, at) =>
    lines.with(at, `${/^.*":"./.exec(lines[at]!)?.[0] ?? ''}${lines[at]}`),
  'its own start before it, cut in a key': (lines, at) =>
    lines.with(at, `${/^.*[,{]"../.exec(lines[at]!)?.[0] ?? ''}${lines[at]}`),
};

describe.each(ofLines.map((format) => [format.name, format] as const))('a session of %s', (name, format) => {
  test.each(Object.entries(DAMAGES))('is read whole if a line has %s', (_, damage) => {
    for (const text of whole(format)) {
      const lines = text.trimEnd().split('\n');
      const intact = liveHistory(format.read(linesOfText(text)));
      const before = spoken(intact);
      const shorterIntact = linesOf(() => format.write?.(linesOfText(text), intact.slice(0, -1)) ?? []);
      const withoutLast = format.write && spoken(liveHistory(format.read(shorterIntact)));
      for (const at of lines.keys()) {
        const damaged = `${damage(lines, at).join('\n')}\n`;
        expect(detectFormat(damaged).name).toBe(name);
        const session = format.read(linesOfText(damaged));
        expect(spoken(liveHistory(session))).toEqual(before);
        expect(session.skipped.length).toBeLessThanOrEqual(1);
        if (!format.write) continue;
        const history = liveHistory(session);
        const written = linesOf(() => format.write!(linesOfText(damaged), history));
        expect(spoken(liveHistory(format.read(written)))).toEqual(before);
        // The copy has each record in a line of its own, for the agent that reads it.
        const broken = [...written].filter((line) => parseLine(line).kind === 'broken');
        expect(broken.length).toBe(session.skipped.length);
        const shorter = linesOf(() => format.write!(linesOfText(damaged), history.slice(0, -1)));
        expect(spoken(liveHistory(format.read(shorter)))).toEqual(withoutLast);
      }
    }
  });
});
