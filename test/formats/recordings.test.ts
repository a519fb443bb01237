import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pairSafeIndex } from '../../src/content/calls/boundary.ts';
import { pairCalls } from '../../src/content/calls/pairing.ts';
import type { IContent } from '../../src/content/content.ts';
import { CLEARED_RESULT, PRUNED_RESULT } from '../../src/content/pruned-result.ts';
import { liveHistory, type SessionFormat } from '../../src/formats/contract.ts';
import { detectFormat, SESSION_FORMATS } from '../../src/formats/index.ts';
import { decode, joinLines, linesOfText } from '../../src/formats/lines/lines.ts';
import { applyEdits } from '../../src/history/apply.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { changedLines, rewritten, unpaired } from '../contracts/format.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import { compressionContext } from '../strategies/compression-context.ts';
import { apiFaults } from './api-rules.ts';

const FOLDERS = [
  'codex',
  'anthropic-messages',
  'openai-chat',
  'swe-agent',
  'mini-swe-agent',
  'openhands',
  'atif',
  'aider',
  'gemini',
  'opencode',
  'pi',
] as const;
const HEAD_CHARACTERS = 256 * 1024;

const textOf = (file: string): string => readFileSync(file, 'utf8');
const folderOf = (file: string): string => path.basename(path.dirname(file));
const said = (history: readonly IContent[]) => history.map(({ speaker, blocks }) => ({ speaker, blocks }));
const isThinking = ({ blocks }: IContent): boolean => blocks.every(({ type }) => type === 'thinking');

/** What is read back of a written history: an answer of which only thinking was left is not written. */
const readable = (history: readonly IContent[], before: readonly IContent[]): IContent[] => {
  const wereThinking = new Set(before.filter(isThinking).map(({ metadata }) => metadata?.id));
  return history.filter((entry) => !isThinking(entry) || wereThinking.has(entry.metadata?.id));
};

/** A pruned result is read as the agent's replacement, if the agent has its own form for it. */
const marked = (format: SessionFormat, history: readonly IContent[]): IContent[] =>
  format.name !== 'opencode'
    ? [...history]
    : history.map((entry) => ({
        ...entry,
        blocks: entry.blocks.map((block) =>
          block.type === 'tool_response' && block.result === PRUNED_RESULT && block.error === undefined
            ? { ...block, result: CLEARED_RESULT }
            : block,
        ),
      }));

function optimised(format: SessionFormat, history: readonly IContent[], workspaceRoot: string): IContent[] {
  const strategy = getCompressionStrategy('high-density', { vocabulary: format.vocabulary });
  const result = strategy.optimize?.(history, {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 2,
    workspaceRoot,
  });
  return result ? applyEdits(history, result) : [...history];
}

async function compressed(format: SessionFormat, history: readonly IContent[]): Promise<IContent[]> {
  const strategy = getCompressionStrategy('high-density', { vocabulary: format.vocabulary });
  return (await strategy.compress(compressionContext(history, { limit: 1000 }))).newHistory;
}

describe.runIf(haveRealSessions)('recorded sessions', () => {
  const recorded = FOLDERS.flatMap((folder) => realSessions(folder)).map(
    (file) => [path.basename(file), file] as const,
  );

  test('there are some of every kind', () => {
    for (const folder of FOLDERS) expect(realSessions(folder), folder).not.toEqual([]);
  });

  test.each(recorded)('%s is detected as what it is, read whole, with unique ids and nothing left out', (_, file) => {
    const text = textOf(file);
    const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
    // An agent may have several formats, whose names start with its own.
    expect(format.name.startsWith(folderOf(file)), format.name).toBe(true);
    const session = format.read(linesOfText(text));
    expect(session.skipped).toEqual([]);
    const entries = session.events.flatMap((event) => (event.kind === 'add' ? [event.content] : event.contents));
    const ids = new Set(entries).size;
    expect(new Set(entries.map(({ metadata }) => metadata?.id)).size).toBe(ids);
    expect(entries.filter(({ blocks }) => blocks.length === 0)).toEqual([]);
    expect(entries.length).toBeGreaterThan(1);
  });

  test.each(recorded)('%s has every call but the last ones answered', (_, file) => {
    const text = textOf(file);
    const history = liveHistory(detectFormat(text.slice(0, HEAD_CHARACTERS)).read(linesOfText(text)));
    const lastAnswer = history.findLast(({ speaker }) => speaker === 'ai');
    const pending = lastAnswer?.blocks.flatMap((block) => (block.type === 'tool_call' ? block.id : [])) ?? [];
    // An agent that was interrupted never wrote the result.
    const isWritten = (id: string): boolean => text.split(JSON.stringify(id)).length > 2;
    expect(unpaired(history).filter((id) => !pending.includes(id) && isWritten(id))).toEqual([]);
  });

  const writable = recorded.filter(([, file]) =>
    ['codex', 'anthropic-messages', 'openai-chat', 'gemini', 'opencode', 'pi'].includes(folderOf(file)),
  );

  test.each(writable)(
    '%s is written back byte for byte, optimised once and for all, and is read as it was written',
    (_, file) => {
      const text = textOf(file);
      const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
      const session = format.read(linesOfText(text));
      const before = liveHistory(session);
      expect(rewritten(format, text, before) === text).toBe(true);

      const root = session.workspaceRoot ?? '/work';
      const after = optimised(format, before, root);
      expect(said(optimised(format, after, root))).toEqual(said(after));
      const written = rewritten(format, text, after);
      const again = liveHistory(format.read(linesOfText(written)));
      expect(said(again)).toEqual(said(readable(marked(format, after), before)));
      expect(unpaired(again)).toEqual(unpaired(before));
      expect(apiFaults(format.name, written).filter((fault) => !apiFaults(format.name, text).includes(fault))).toEqual(
        [],
      );
      expect(said(optimised(format, again, root))).toEqual(said(again));
      expect(rewritten(format, written, again) === written).toBe(true);
    },
  );

  test.each(writable)('%s is read as it was compressed or truncated, with a summary at the start', async (_, file) => {
    const text = textOf(file);
    const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
    const before = liveHistory(format.read(linesOfText(text)));
    const smaller = await compressed(format, before);
    const again = liveHistory(format.read(linesOfText(rewritten(format, text, smaller))));
    expect(said(again)).toEqual(said(readable(smaller, before)));
    expect(unpaired(again).filter((id) => !unpaired(before).includes(id))).toEqual([]);

    const last = before.findLastIndex(({ speaker }) => speaker === 'human');
    const from = pairSafeIndex(before, last, { direction: 'earlier', pairing: pairCalls(before) });
    const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'What happened so far.' }] };
    const rebuilt = [summary, ...before.slice(from)];
    expect(said(liveHistory(format.read(linesOfText(rewritten(format, text, rebuilt)))))).toEqual(said(rebuilt));
  });

  test.each(realSessions('codex').map((file) => [path.basename(file), file]))(
    '%s keeps every line whose blocks did not change (one line a block at most)',
    (_, file) => {
      const text = textOf(file as string);
      const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
      const before = liveHistory(format.read(linesOfText(text)));
      const after = optimised(format, before, '/work');
      const kept = new Set(after.flatMap(({ blocks }) => blocks));
      const touched = before.flatMap(({ blocks }) => blocks).filter((block) => !kept.has(block)).length;
      expect(changedLines(text, rewritten(format, text, after))).toBeLessThanOrEqual(touched * 2);
    },
  );

  test.each(writable)('%s becomes a new session of each writable format that reads back and pairs', (_, file) => {
    const text = textOf(file);
    const history = liveHistory(detectFormat(text.slice(0, HEAD_CHARACTERS)).read(linesOfText(text)));
    for (const format of SESSION_FORMATS) {
      if (!format.create) continue;
      const created = decode(
        joinLines(format.create(history, { id: 'new', model: 'claude-x', workspaceRoot: '/work', startedAt: 0 })),
      );
      const again = liveHistory(format.read(linesOfText(created)));
      expect(again.length, format.name).toBeGreaterThan(1);
      expect(unpaired(again).length, format.name).toBeLessThanOrEqual(unpaired(history).length);
      const results = (entries: readonly IContent[]): number =>
        entries.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'tool_response').length;
      // An interrupted call gets a result where the provider requires one.
      expect(results(again) - results(history), format.name).toBeLessThanOrEqual(unpaired(history).length);
      expect(results(again), format.name).toBeGreaterThanOrEqual(results(history));
      expect(apiFaults(format.name, created)).toEqual([]);
      if (format.write) expect(rewritten(format, created, again) === created).toBe(true);
    }
  });
});
