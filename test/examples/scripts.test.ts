import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';

/** What an example prints: it runs when it is imported. */
async function printedBy(example: string): Promise<unknown[]> {
  const printed: unknown[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => printed.push(...words));
  await import(`../../examples/${example}.ts`);
  log.mockRestore();
  return printed;
}

describe('the examples that are scripts', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('prune: of two reads that show the same, it says that the first was removed, and the last is kept', async () => {
    const printed = await printedBy('prune');
    const [call, result, tokens, toSend] = printed;
    expect([call, result]).toEqual(['removed: tool_call (supersededRead)', 'removed: tool_response (supersededRead)']);
    const [, before, after] = /^(\d+) → (\d+) tokens/.exec(String(tokens)) ?? [];
    expect(Number(after)).toBeLessThan(0.6 * Number(before));
    expect(toSend).toMatchObject([
      { speaker: 'human', blocks: [{ text: 'Use port 8080.' }] },
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: '2' }] },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: '2', result: expect.stringContaining('8039') }] },
    ]);
  });

  test('compact-messages: a list over the threshold becomes a summary', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'compact-example-'));
    vi.stubEnv('COMPACT_OUTPUT_DIR', folder);
    const [printed] = await printedBy('compact-messages');
    expect(printed).toMatchObject({ compacted: true, stats: { compactedMessageCount: 100, retainedMessageCount: 1 } });
    expect(readdirSync(folder)).toEqual(['default']);
    rmSync(folder, { recursive: true });
  });

  test('replay-session: fewer tokens are sent than were recorded', async () => {
    const [title, tokens] = await printedBy('replay-session');
    expect(title).toBe('high-density: 150 model calls');
    const [, recorded, pruned] = /: (\d+) as recorded, (\d+) pruned/.exec(String(tokens)) ?? [];
    expect(Number(pruned)).toBeLessThan(0.7 * Number(recorded));
  });
});
