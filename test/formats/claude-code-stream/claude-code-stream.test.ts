import { describe, expect, test } from 'vitest';
import { claudeCodeStream } from '../../../src/formats/claude-code-stream/claude-code-stream.ts';
import { historyOf } from '../../contracts/format.ts';
import { claudeCodeStreamSample } from '../claude-code-stream-fixture.ts';
import { session, words } from '../words.ts';

const [PLAIN = '', COMPACTED = ''] = claudeCodeStreamSample.texts;

describe('the stream of Claude Code', () => {
  test('has the facts of a session, and usage', () => {
    const { format, id, model, workspaceRoot, skipped } = session(claudeCodeStream, PLAIN);
    expect({ format, id, model, workspaceRoot, skipped }).toEqual({
      format: 'claude-code-stream',
      id: 's-1',
      model: 'claude-sonnet-4-5',
      workspaceRoot: '/repo/demo',
      skipped: [],
    });
    const history = historyOf(claudeCodeStream, PLAIN);
    expect(history[0]?.metadata?.usage).toMatchObject({ promptTokens: 900, cachedTokens: 800 });
  });

  test('joins the blocks of one answer, and leaves out what a sub-agent did', () => {
    const history = historyOf(claudeCodeStream, PLAIN);
    expect(history.map(({ speaker }) => speaker)).toEqual(['ai', 'tool', 'ai', 'tool', 'ai']);
    expect(history[0]?.blocks.map(({ type }) => type)).toEqual(['thinking', 'tool_call']);
  });

  test('has a summary in place of what a compaction replaced', () => {
    expect(words(historyOf(claudeCodeStream, COMPACTED))).toEqual(['human They read.', 'human Go on.', 'ai Done.']);
    const cuts = session(claudeCodeStream, COMPACTED).events.flatMap((event) =>
      event.kind === 'replace' ? event : [],
    );
    expect(cuts).toMatchObject([{ by: { kind: 'compaction', trigger: 'manual', beforeTokens: 49_468 } }]);
    expect(cuts[0]?.contents[0]?.metadata?.isSummary).toBe(true);
  });

  test('names the line that cannot be read', () => {
    const { skipped } = session(claudeCodeStream, PLAIN.replace('\n{"type":"assistant"', '\n{"type":"assis\n$&'));
    expect(skipped).toMatchObject([{ line: 3 }]);
  });
});
