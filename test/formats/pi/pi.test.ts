import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { pi } from '../../../src/formats/pi/pi.ts';
import { historyOf, rewritten, unpaired } from '../../contracts/format.ts';
import { chain, HEADER, piSample, said, text, user } from '../pi-fixture.ts';
import { session, steps, words } from '../words.ts';

const [PLAIN = '', BRANCHED = '', COMPACTED = '', LINEAR = ''] = piSample.texts;
const note = (said_: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text: said_ }] });

interface Row {
  readonly type: string;
  readonly id?: string;
  readonly parentId?: string | null;
  readonly firstKeptEntryId?: string;
  readonly firstKeptEntryIndex?: number;
}
const rows = (file: string): Row[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Parents that no line before has. */
const dangling = (file: string): unknown[] => {
  const seen = new Set<unknown>([null, undefined]);
  return rows(file).flatMap(({ id, parentId }) => {
    const isThere = seen.has(parentId);
    seen.add(id);
    return isThere ? [] : [parentId];
  });
};

describe('reading sessions of pi', () => {
  test('reads every kind of entry that is sent, and none that is not', () => {
    const history = historyOf(pi, PLAIN);
    expect(words(history)).toEqual([
      'human Why is `a` undefined? ✗',
      expect.stringMatching(/^ai thinking \+ I look\. \+ read .* \+ edit /),
      'tool let a;\n',
      'tool (Could not find the exact text in a.ts.) Nothing was changed.',
      'ai It lacks a value.',
      'human And the picture? + media',
      'ai read {"path":"b.png"}',
      'tool Read image file + media',
      'ai A cat.',
      'human Ran `ls`\n```\na.ts b.png\n```',
      'human Tests run on save.',
    ]);
    expect(JSON.stringify(history)).not.toMatch(/SECRET|for the screen/);
    expect(history[1]?.metadata?.usage).toEqual({
      promptTokens: 32,
      completionTokens: 5,
      totalTokens: 37,
      cachedTokens: 20,
      writtenTokens: 2,
    });
  });

  test('follows the way to the last line, and says when the user left another', () => {
    expect(unpaired(historyOf(pi, BRANCHED))).toEqual(['c2']);
    expect(steps(session(pi, BRANCHED).events)).toEqual([
      'human Read a.ts.',
      'ai read {"path":"a.ts"}',
      'tool let a;\n',
      'ai A way that was left.',
      ['human Read a.ts.', 'ai read {"path":"a.ts"}', 'tool let a;\n'],
      'human Another way led nowhere.',
      'ai I run it. + bash {"command":"sleep 1000"}',
    ]);
  });

  test('hangs what followed a lost entry on the entry before it', () => {
    const lines = PLAIN.trimEnd().split('\n');
    const before = words(historyOf(pi, PLAIN));
    for (const at of lines.keys()) {
      const left = words(historyOf(pi, lines.toSpliced(at, 1).join('\n')));
      expect(left.length).toBeGreaterThanOrEqual(before.length - 1);
    }
  });

  test('continues from the summary and what a compaction kept, in versions 3 and 1', () => {
    const after = ['human They read a.ts.', 'human And b.ts.', 'ai Read too.'];
    expect(steps(session(pi, COMPACTED).events)[4]).toEqual(after);
    expect(steps(session(pi, LINEAR).events)[4]).toEqual(after);
    expect(words(historyOf(pi, LINEAR))).toEqual([...after, 'human Go on.']);
  });
});

describe('writing sessions of pi', () => {
  test('keeps the place of an entry that says nothing any more, so that all that hangs on it still does', () => {
    for (const file of [PLAIN, BRANCHED, COMPACTED, LINEAR]) {
      const written = rewritten(pi, file, historyOf(pi, file).slice(-1));
      expect(rows(written).map(({ id, parentId }) => [id, parentId])).toEqual(
        rows(file).map(({ id, parentId }) => [id, parentId]),
      );
      expect(historyOf(pi, written)).toHaveLength(1);
    }
  });

  test('hangs new entries in between', () => {
    const texts = { PLAIN, BRANCHED, COMPACTED, LINEAR };
    for (const [name, file] of Object.entries(texts)) {
      const history = historyOf(pi, file);
      // The summary is the first entry of a compacted session.
      const from = name === 'COMPACTED' || name === 'LINEAR' ? 1 : 0;
      for (let place = from; place <= history.length; place++) {
        if (history[place]?.speaker === 'tool') continue;
        const after = [...history.slice(0, place), note('one'), note('two'), ...history.slice(place)];
        const written = rewritten(pi, file, after);
        expect(words(historyOf(pi, written)), `${name} ${place}`).toEqual(words(after));
        expect(dangling(written)).toEqual([]);
      }
    }
  });

  test('replaces the old summary by a new one, and rejects one before it', () => {
    for (const file of [COMPACTED, LINEAR]) {
      const [, ...rest] = historyOf(pi, file);
      const written = rewritten(pi, file, [note('A new summary.'), ...rest]);
      expect(words(historyOf(pi, written))).toEqual(['human A new summary.', ...words(rest)]);
      expect(() => rewritten(pi, file, [note('x'), ...historyOf(pi, file)])).toThrow(/to be first or to be removed/);
    }
  });

  test('starts a session that has only its header', () => {
    const file = `${JSON.stringify(HEADER)}\n`;
    expect(words(historyOf(pi, rewritten(pi, file, [note('Hello')])))).toEqual(['human Hello']);
  });

  test('keeps signatures byte for byte', () => {
    const history = historyOf(pi, PLAIN).map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'short' } : block)),
    }));
    const written = rewritten(pi, PLAIN, history);
    expect(written.match(/"(?:thinkingSignature|thoughtSignature)":"[^"]*"/g)).toEqual(
      PLAIN.match(/"(?:thinkingSignature|thoughtSignature)":"[^"]*"/g),
    );
  });

  test('creates a chain of unique ids', () => {
    const history = [...historyOf(pi, PLAIN), ...historyOf(pi, PLAIN)];
    const created = decode(joinLines(pi.create?.(history, { id: 's-2', startedAt: 0 }) ?? []));
    const [, ...entries] = rows(created);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(entries.slice(1).map(({ parentId }) => parentId)).toEqual(entries.slice(0, -1).map(({ id }) => id));
    const file = [HEADER, ...chain(1, null, user('x'), said({}, text('y')))]
      .map((row) => JSON.stringify(row))
      .join('\n');
    const again = decode(joinLines(pi.create?.(historyOf(pi, file), { id: 's-3', startedAt: 0 }) ?? []));
    expect(
      rows(again)
        .slice(1)
        .map(({ id }) => id),
    ).toEqual(['00000001', '00000002']);
  });
});

test('the system prompt, which pi 1 records, is no message of the history', () => {
  const system = {
    type: 'message',
    message: { role: 'system', content: '', sections: { preamble: 'You are a coding assistant.' }, timestamp: 1 },
  };
  const more = { type: 'message', message: { role: 'system', content: [text('You have a new tool.')], timestamp: 2 } };
  const warmed = { type: 'usage', kind: 'cache_warm', provider: 'anthropic', model: 'model-x', usage: { input: 1 } };
  const entries = chain(1, null, system, user('Read it.'), said({}, text('Done.')), more, warmed);
  const file = [HEADER, ...entries].map((value) => `${JSON.stringify(value)}\n`).join('');
  expect(words(historyOf(pi, file))).toEqual(['human Read it.', 'ai Done.']);
});
