import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { resultText } from '../../src/formats/blocks/tool-result.ts';
import { liveHistory, type Session, type SessionFormat } from '../../src/formats/contract.ts';
import { detectFormat, SESSION_FORMATS } from '../../src/formats/index.ts';
import { decode, joinLines, linesOfText } from '../../src/formats/lines/lines.ts';
import { applyEdits } from '../../src/history/apply.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { rewritten, spoken, unpaired } from '../contracts/format.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import { compressionContext } from '../strategies/compression-context.ts';

/** The format of each folder of recordings, and the allowed difference from the manifest's token estimate. */
const FOLDERS: Readonly<Record<string, { readonly format: string; readonly ratio: readonly [number, number] }>> = {
  // The manifest omits the results of the Cline SDK, which are lists of records.
  'cline-roo': { format: 'cline', ratio: [0.66, 1.8] },
  'copilot-cli': { format: 'copilot-cli', ratio: [0.66, 1.5] },
  atif: { format: 'atif', ratio: [0.66, 1.5] },
  aider: { format: 'aider', ratio: [0.66, 1.5] },
};

const HEAD_CHARACTERS = 256 * 1024;

interface Recording {
  readonly text: string;
  readonly format: SessionFormat;
  readonly session: Session;
  readonly live: readonly IContent[];
}

function recording(file: string): Recording {
  const text = readFileSync(file, 'utf8');
  const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
  const session = format.read(linesOfText(text));
  return { text, format, session, live: liveHistory(session) };
}

function characters(block: ContentBlock): number {
  if (block.type === 'text') return block.text.length;
  if (block.type === 'tool_call') return block.name.length + JSON.stringify(block.parameters).length;
  if (block.type === 'tool_response') return resultText(block.result).length + (block.error?.length ?? 0);
  return block.type === 'code' ? block.code.length : 0;
}

function optimised({ format, session }: Recording, history: readonly IContent[]): IContent[] {
  const strategy = getCompressionStrategy('high-density', { vocabulary: format.vocabulary });
  const result = strategy.optimize?.(history, {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 2,
    workspaceRoot: session.workspaceRoot ?? '/work',
  });
  return result ? applyEdits(history, result) : [...history];
}

const isThinking = ({ blocks }: IContent): boolean => blocks.every(({ type }) => type === 'thinking');

/** The history that is read after the write: an answer with only thinking is not written. */
const readable = (history: readonly IContent[]): IContent[] => history.filter((entry) => !isThinking(entry));

/** What the manifest of its folder estimates, where it does. */
function estimateOf(file: string): number | undefined {
  const manifest = path.join(path.dirname(file), '..', 'manifest.json');
  const rows = JSON.parse(readFileSync(manifest, 'utf8')) as { file: string; tok_ctx?: number }[];
  return rows.find((row) => row.file === file.split(path.sep).slice(-2).join('/'))?.tok_ctx;
}

describe.runIf(haveRealSessions)('recordings of agents', () => {
  const all = Object.keys(FOLDERS).flatMap((folder) => realSessions(folder));
  const named = all.map((file) => [path.basename(file), file] as const);
  const writable = named.filter(([, file]) => recording(file).format.write);

  test.each(named)('%s is detected as what it is, read whole, and pairs every call but the last ones', (_, file) => {
    const { format, session, live } = recording(file);
    expect(format.name).toBe(FOLDERS[path.basename(path.dirname(file))]?.format);
    expect(session.skipped).toEqual([]);
    const ids = live.map(({ metadata }) => metadata?.id);
    expect(new Set(ids).size).toBe(ids.length);
    const last = live.findLast(({ speaker }) => speaker === 'ai');
    const pending = last?.blocks.flatMap((block) => (block.type === 'tool_call' ? block.id : []));
    expect(unpaired(live).filter((id) => !pending?.includes(id))).toEqual([]);
  });

  const estimated = named.filter(([, file]) => estimateOf(file) !== undefined);

  test.each(estimated)('%s shows about as many tokens as the manifest estimates (characters / 4)', (_, file) => {
    const { session } = recording(file);
    const folder = path.basename(path.dirname(file));
    const seen = new Set(session.events.flatMap((event) => (event.kind === 'add' ? [event.content] : event.contents)));
    const count = [...seen].flatMap(({ blocks }) => blocks).reduce((sum, block) => sum + characters(block), 0);
    const system = session.systemText?.length ?? 0;
    const estimate = estimateOf(file) ?? 0;
    const [least, most] = FOLDERS[folder]?.ratio ?? [1, 1];
    const ratios = [count, count + system].map((sum) => sum / 4 / estimate);
    expect(Math.min(...ratios)).toBeLessThanOrEqual(most);
    expect(Math.max(...ratios)).toBeGreaterThanOrEqual(least);
  });

  test.each(writable)(
    '%s is written back byte for byte, optimised once and for all, and is read as it was written',
    (_, file) => {
      const before = recording(file);
      const { text, format, live } = before;
      expect(rewritten(format, text, live) === text).toBe(true);
      const after = optimised(before, live);
      expect(spoken(optimised(before, after))).toEqual(spoken(after));
      const written = rewritten(format, text, after);
      const again = liveHistory(format.read(linesOfText(written)));
      expect(spoken(again)).toEqual(spoken(readable(after)));
      expect(unpaired(again)).toEqual(unpaired(live));
      expect(spoken(optimised(before, again))).toEqual(spoken(again));
      expect(rewritten(format, written, again) === written).toBe(true);
    },
  );

  test.each(writable)('%s is read as it was compressed, and with a summary before its last turn', async (_, file) => {
    const { text, format, live } = recording(file);
    const strategy = getCompressionStrategy('high-density', { vocabulary: format.vocabulary });
    const smaller = (await strategy.compress(compressionContext(live, { limit: 1000 }))).newHistory;
    expect(spoken(liveHistory(format.read(linesOfText(rewritten(format, text, smaller)))))).toEqual(
      spoken(readable(smaller)),
    );
    const from = live.findLastIndex(({ speaker }) => speaker === 'human');
    for (const metadata of [{}, { isSummary: true }]) {
      const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'So far.' }], metadata };
      const rebuilt = [summary, ...live.slice(from)];
      expect(spoken(liveHistory(format.read(linesOfText(rewritten(format, text, rebuilt)))))).toEqual(spoken(rebuilt));
    }
  });

  test.each(named)('%s becomes a new session of each writable format that reads back and pairs', (_, file) => {
    const { live } = recording(file);
    const results = (entries: readonly IContent[]): number =>
      entries.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'tool_response').length;
    for (const format of SESSION_FORMATS) {
      if (!format.create) continue;
      const created = decode(joinLines(format.create(live, { id: 'new', workspaceRoot: '/work', startedAt: 0 })));
      expect(
        detectFormat(created.slice(0, HEAD_CHARACTERS)).name === format.name || results(live) === 0,
        format.name,
      ).toBe(true);
      const again = liveHistory(format.read(linesOfText(created)));
      expect(again.length, format.name).toBeGreaterThan(0);
      expect(unpaired(again).length, format.name).toBeLessThanOrEqual(unpaired(live).length);
      expect(results(again), format.name).toBe(results(live));
      if (format.write) expect(rewritten(format, created, again) === created).toBe(true);
    }
  });
});
