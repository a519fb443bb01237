import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { resultText } from '../../src/formats/blocks/tool-result.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { joinLines, linesOf, linesOfText } from '../../src/formats/lines/lines.ts';
import { applyEdits } from '../../src/history/apply.ts';
import { fileUndo } from '../../src/sessions/file-undo.ts';
import type { RemovalStep } from '../../src/sessions/removal-step.ts';
import { restoredSession } from '../../src/sessions/restored-session.ts';
import { rewritten } from '../../src/sessions/rewritten.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { haveRealSessions, sessionsOfEveryFormat } from '../real-sessions.ts';

const HEAD_CHARACTERS = 256 * 1024;

/** What a model reads: results are text, notes of a vendor beside them are not read. */
const said = (history: readonly IContent[]): unknown =>
  history.map(({ speaker, blocks }) => [
    speaker,
    blocks.map((block: ContentBlock) =>
      block.type === 'tool_response'
        ? [block.callId, block.toolName, resultText(block.result), block.error]
        : JSON.parse(JSON.stringify(block)),
    ),
  ]);

const NEWS: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'So far.' }] };

describe.runIf(haveRealSessions)('a recorded session that was optimised', () => {
  const sessions = sessionsOfEveryFormat().flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
    return format.write ? [[path.basename(file), { format, text }] as const] : [];
  });

  test.each(sessions)('%s comes back byte for byte, and with what was added since', (_, { format, text }) => {
    const lines = linesOfText(text);
    const session = format.read(lines);
    const before = liveHistory(session);
    const result = getCompressionStrategy('high-density', { vocabulary: format.vocabulary }).optimize?.(before, {
      readWritePruning: true,
      fileDedupe: true,
      recencyPruning: true,
      recencyRetention: 2,
      workspaceRoot: session.workspaceRoot ?? '/work',
    });
    const after = result ? applyEdits(before, result) : before;
    const { step, pieces } = rewritten({ session, format, lines }, after);
    const bytes = joinLines(pieces);
    const removed = before.filter((entry) => !after.includes(entry)).map((entry) => structuredClone(entry));
    const file = fileUndo(Buffer.from(text), bytes);
    const undone = (data: Uint8Array, undo: RemovalStep): Uint8Array => {
      const lines = linesOf(() => [data]);
      return joinLines(
        restoredSession({ format, lines, now: liveHistory(format.read(lines)) }, { step: undo, removed }).pieces,
      );
    };
    const saidBy = (data: Uint8Array): unknown => said(liveHistory(format.read(linesOf(() => [data]))));
    expect(Buffer.from(undone(bytes, { ...step, file })).equals(Buffer.from(text))).toBe(true);

    const smaller = linesOf(() => [bytes]);
    const grown = joinLines(format.write!(smaller, [...liveHistory(format.read(smaller)), NEWS]));
    expect(saidBy(undone(grown, { ...step, file }))).toEqual(said([...before, NEWS]));
  });
});
