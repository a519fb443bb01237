import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { linesOf, linesOfText } from '../../src/formats/lines/lines.ts';
import { makeSmaller } from '../../src/replay/smaller.ts';
import { rewritten } from '../../src/sessions/rewritten.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { entryCounter } from '../../src/tokens/entries/block-counter.ts';
import { haveRealSessions, sessionsOfEveryFormat } from '../real-sessions.ts';

const HEAD_CHARACTERS = 256 * 1024;
/** Larger ones add time, but no other format. */
const MAX_BYTES = 1_000_000;

describe.runIf(haveRealSessions)('the entries and tokens that are left of a recorded session', () => {
  const sessions = sessionsOfEveryFormat().flatMap((file) => {
    if (statSync(file).size > MAX_BYTES) return [];
    const text = readFileSync(file, 'utf8');
    const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
    return format.write ? [[path.basename(file), { format, text }] as const] : [];
  });

  test.each(sessions)('are those of the written file: %s', async (_, { format, text }) => {
    const lines = linesOfText(text);
    const session = format.read(lines);
    const before = liveHistory(session);
    const model = session.model ?? 'unknown';
    const countEntry = entryCounter(model);
    for (const strategy of [undefined, 'high-density', 'top-down-truncation'] as const) {
      const made = await makeSmaller(before, {
        model,
        engine: 'inline',
        ephemerals: createEphemerals([strategy === undefined ? {} : { 'compression.strategy': strategy }], { model }),
        workspaceRoot: session.workspaceRoot ?? '/',
        createStrategy: (name) => getCompressionStrategy(name, { vocabulary: format.vocabulary }),
        compress: strategy !== undefined,
      });
      const { pieces } = rewritten({ session, format, lines }, made.history);
      const found = liveHistory(format.read(linesOf(() => pieces)));
      // Claude Code writes the size of an answer with its last row: without that row, the text that is left counts.
      const whole = new Set(before);
      const isCutRow = (entry: IContent): boolean =>
        format.name === 'claude-code' && entry.speaker === 'ai' && !whole.has(entry);
      const tokens = found.reduce((sum, entry, at) => {
        const left = made.history[at];
        return sum + countEntry(left !== undefined && isCutRow(left) ? left : entry);
      }, 0);
      expect([strategy, found.length, tokens]).toEqual([strategy, made.history.length, made.tokensAfter]);
    }
  });
});
