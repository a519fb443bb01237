import { describe, expect, test } from 'vitest';
import { DARK, LIGHT, type Palette } from '../../../src/report/document/page-style.ts';

/** Pairs of text and background colours that occur on the page. */
function meetingColors({
  paper,
  card,
  wash,
  ink,
  muted,
  accent,
  limit,
  threshold,
  curves,
}: Palette): [string, string][] {
  const texts = [ink, muted, accent, limit, threshold, ...curves];
  return [
    ...texts.flatMap((text): [string, string][] => [
      [text, paper],
      [text, card],
    ]),
    [ink, wash],
    [limit, wash],
    [threshold, wash],
  ];
}

/** Relative luminance. Source: WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Source: WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each<[string, Palette]>([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s colours of a report', (_name, palette) => {
  test('have a contrast of at least 4.5 between text and background', () => {
    for (const [text, background] of meetingColors(palette)) {
      expect({ text, background, contrast: contrast(text, background) }).toMatchObject({
        contrast: expect.toSatisfy((ratio: number) => ratio >= 4.5),
      });
    }
  });

  test('separate lines and bars from their background', () => {
    const { paper, wash, track, accent, curves } = palette;
    for (const color of curves) expect(contrast(color, paper)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accent, track)).toBeGreaterThanOrEqual(3);
    for (const color of curves) expect(contrast(color, wash)).toBeGreaterThanOrEqual(3);
  });
});
