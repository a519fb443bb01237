import { describe, expect, test } from 'vitest';
import { isAmbiguous, pairCalls } from '../../src/content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { anyAgent } from '../../src/content/vocabularies/vocabulary.ts';
import { liveHistory, type SessionFormat } from '../../src/formats/contract.ts';
import { convertSession, writableFormats } from '../../src/formats/convert.ts';
import { decode, joinLines, linesOfText } from '../../src/formats/lines/lines.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { applied } from '../contracts/strategy.ts';

const IDS = ['call_one11', 'call_two22', 'call_thr33'] as const;
const call = (id: string, name: string, parameters: object): ContentBlock => ({
  type: 'tool_call',
  id,
  name,
  parameters,
});
const result = (callId: string, toolName: string, text: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName, result: text }],
  metadata: { timestamp: 1_750_000_000_000 },
});
const said = (speaker: 'human' | 'ai', ...blocks: ContentBlock[]): IContent => ({
  speaker,
  blocks,
  metadata: { timestamp: 1_750_000_000_000 },
});
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const lines = (name: string): string => Array.from({ length: 30 }, (_, at) => `${name} has line ${at}`).join('\n');

/** Two reads and a search in one answer; then the second file is written. */
const HISTORY: readonly IContent[] = [
  said('human', text('Fix it.')),
  said(
    'ai',
    text('I look.'),
    call(IDS[0], 'read_file', { path: '/r/b.ts' }),
    call(IDS[1], 'read_file', { path: '/r/c.ts' }),
    call(IDS[2], 'grep', { pattern: 'c' }),
  ),
  result(IDS[0], 'read_file', lines('b.ts')),
  result(IDS[1], 'read_file', lines('c.ts')),
  result(IDS[2], 'grep', 'c.ts: 3'),
  said('ai', call('call_write', 'write_file', { path: '/r/c.ts', content: 'new' })),
  result('call_write', 'write_file', 'Written.'),
  said('ai', text('Done.')),
];

const MADE = {
  id: '6f1c1f0e-3b0c-4c35-9d0a-0f7c2a4f9b11',
  model: 'model-x',
  workspaceRoot: '/r',
  systemText: 'You code.',
  startedAt: 1_750_000_000_000,
};

const CONFIG = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 4,
  workspaceRoot: '/r',
};

const readBy = (format: SessionFormat, file: string): IContent[] => liveHistory(format.read(linesOfText(file)));

/** What each result says, of which tool, and what its call reads. */
const pairs = (history: readonly IContent[]): unknown[] =>
  pairCalls(history).responses.map(({ response, call: paired }) => [
    paired?.call.name,
    paired?.call.parameters,
    response.toolName,
    response.result,
  ]);

const optimized = (history: readonly IContent[]) =>
  new HighDensityStrategy({ vocabulary: anyAgent }).optimize(history, CONFIG);

/** What a history says, whatever the ids are. */
const withoutIds = (history: readonly IContent[]): unknown =>
  history.map(({ speaker, blocks }) => [
    speaker,
    blocks.map((block) =>
      block.type === 'tool_call'
        ? { ...block, id: '' }
        : block.type === 'tool_response'
          ? { ...block, callId: '' }
          : block,
    ),
  ]);

describe.each(writableFormats())('calls of one answer with one id in a file of $name', (format) => {
  const events = HISTORY.map((content) => ({ kind: 'add', content }) as const);
  const session = { format: 'high-density', events, skipped: [] };
  const file = decode(joinLines(convertSession(session, format, MADE).pieces));
  const same = IDS.reduce((one, id) => one.replaceAll(id, IDS[0]), file);

  test('have their own results', () => {
    expect(pairs(readBy(format, same))).toEqual(pairs(readBy(format, file)));
  });

  test('are pruned as calls with an id each', () => {
    const [expected, found] = [readBy(format, file), readBy(format, same)].map((history) => {
      const { edits } = optimized(history);
      return edits!.map(({ entry, block, kind, reason }) => [entry, block, kind, reason.rule]);
    });
    expect(found).toEqual(expected);
    expect(found!.length).toBeGreaterThan(0);
  });

  test.runIf(format.write)('are written as calls with an id each', () => {
    const [expected, found] = [file, same].map((given) => {
      const history = readBy(format, given);
      const written = format.write!(linesOfText(given), applied(history, optimized(history)));
      return withoutIds(readBy(format, decode(joinLines(written))));
    });
    expect(found).toEqual(expected);
  });

  test('are left alone if a result is missing', () => {
    const history = readBy(format, same);
    const last = history.findLastIndex(({ blocks }) =>
      blocks.some((block) => block.type === 'tool_response' && block.result === 'c.ts: 3'),
    );
    const fewer = history.map((entry, at) =>
      at === last
        ? { ...entry, blocks: entry.blocks.filter((block) => !('result' in block && block.result === 'c.ts: 3')) }
        : entry,
    );
    if (!pairCalls(fewer).calls.some(isAmbiguous)) return;
    expect(optimized(fewer).edits).toEqual([]);
  });
});
