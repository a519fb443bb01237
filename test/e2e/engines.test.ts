import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../formats/samples.ts';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

/** The figures that must not depend on the engine. */
function figures(line: Record<string, unknown>): Record<string, unknown> {
  const { engine, gateMs, stallMs, readMs, ...rest } = line;
  return rest;
}

describe('the engines', () => {
  const computer = new Computer();
  // test/offload/session-equality.test.ts plays more of them, and recorded sessions.
  const samples = Object.entries(SAMPLES).map(([name, { texts }]) => computer.write(`samples/${name}`, texts[0]!));
  const files = [computer.write('edited.jsonl', sessionText(EDITED)), ...samples];

  test('a replay gives identical numbers with both, for a session of each format and every strategy (law 5)', async () => {
    const replay = async (engine: string): Promise<Record<string, unknown>[]> => {
      const { code, out } = await computer.run(['replay', '--json', '--all', '--engine', engine, ...files]);
      expect(code).toBe(0);
      const lines = jsonLines(out);
      for (const line of lines) expect(line['engine']).toBe(engine);
      return lines;
    };
    const inline = await replay('inline');
    const offloaded = await replay('offloaded');
    expect(inline).toHaveLength(3 * files.length);
    expect(offloaded.map(figures)).toEqual(inline.map(figures));
  });

  test('--stats says where the text was counted: a small session needs no thread', async () => {
    const { code, err } = await computer.run(['replay', '--stats', files[0]!]);
    expect(code).toBe(0);
    expect(err).toContain('high-density, offloaded engine');
    expect(err).toMatch(/counted +0 B on threads, [1-9]\S* \S+ on the main thread/);
    expect(err).toMatch(/main thread +blocked for/);
  });
});
