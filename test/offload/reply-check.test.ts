import { describe, expect, test } from 'vitest';
import type { Request } from '../../src/offload/protocol.ts';
import { isReplyTo } from '../../src/offload/reply-check.ts';

describe('a reply', () => {
  const request: Request = {
    version: 1,
    historyId: 'h',
    generation: 2,
    baseRevision: 4,
    revision: 5,
    sequence: 9,
    changes: [],
    task: { kind: 'count', family: 'o200k', list: 'history', from: 2, to: 5, fresh: false, budgetBytes: 10 },
    cancelFlag: new Int32Array(1),
  };
  const figures = { threadId: 1, replicas: 1, replicaBytes: 10 };
  const reply = (outcome: unknown, more: object = {}) => ({
    version: 1,
    historyId: 'h',
    generation: 2,
    revision: 5,
    sequence: 9,
    outcome,
    countedBytes: 0,
    figures,
    ...more,
  });
  const counts = { kind: 'counts', counts: [1, 2, { error: { message: 'x' } }] };

  test.each([
    ['counts', counts],
    ['fewer counts than asked for', { kind: 'counts', counts: [1] }],
    ['a wish for a snapshot', { kind: 'need-snapshot' }],
    ['that it was cancelled', { kind: 'cancelled' }],
    ['an error', { kind: 'failed', error: { name: 'Error', message: 'x', isOwn: false, fields: {} } }],
  ])('may be %s', (_what, outcome) => {
    expect(isReplyTo(request, reply(outcome))).toBe(true);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'garbage'],
    ['an empty object', {}],
    ['no outcome', reply(undefined)],
    ['an unknown outcome', reply({ kind: 'garbage' })],
    ['the outcome of another task', reply({ kind: 'optimized', removals: [], parts: [], hasMore: false })],
    ['more counts than asked for', reply({ kind: 'counts', counts: [1, 2, 3, 4] })],
    ['no counts', reply({ kind: 'counts', counts: [] })],
    ['counts that are none', reply({ kind: 'counts', counts: ['many'] })],
    ['counts that are not finite', reply({ kind: 'counts', counts: [Number.NaN] })],
    ['counts below zero', reply({ kind: 'counts', counts: [-1] })],
    ['another history', reply(counts, { historyId: 'other' })],
    ['a foreign revision', reply(counts, { revision: 4 })],
    ['an earlier generation', reply(counts, { generation: 1 })],
    ['an earlier sequence', reply(counts, { sequence: 8 })],
    ['another version', reply(counts, { version: 2 })],
    ['no figures', reply(counts, { figures: null })],
  ])('is refused when it is %s', (_what, value) => {
    expect(isReplyTo(request, value)).toBe(false);
  });

  test('names indices within the history that was asked about', () => {
    const task: Request['task'] = {
      kind: 'optimize',
      isLogged: false,
      strategy: 'high-density',
      vocabulary: 'llxprt',
      family: 'o200k',
      length: 3,
      countFrom: 2,
      budgetBytes: 1,
      config: {
        readWritePruning: true,
        fileDedupe: true,
        recencyPruning: true,
        recencyRetention: 3,
        workspaceRoot: '/',
      },
    };
    const optimized = (removals: unknown, parts: unknown = [], metadata: unknown = {}, ofNew: unknown = [7]) => ({
      kind: 'optimized',
      logged: [],
      removals,
      parts,
      metadata,
      counts: ofNew,
      hasMore: false,
    });
    expect(isReplyTo({ ...request, task }, reply(optimized([0, 2])))).toBe(true);
    expect(isReplyTo(request, reply(optimized([0, 2])))).toBe(false);
    for (const removals of [[3], [-1], [0.5], [1, 1], 'all', undefined]) {
      expect(isReplyTo({ ...request, task }, reply(optimized(removals)))).toBe(false);
    }
    expect(isReplyTo({ ...request, task }, reply(optimized([], [], {})))).toBe(true);
    expect(isReplyTo({ ...request, task }, reply(optimized([], [], 'none')))).toBe(false);
    for (const ofNew of [[1, 2], ['many'], 'all']) {
      expect(isReplyTo({ ...request, task }, reply(optimized([], [], {}, ofNew)))).toBe(false);
    }
    const content = { speaker: 'human', blocks: [] };
    const right = [
      { from: 2, tokens: 0, blocks: [] },
      { from: -1, tokens: 4, content },
      { keepFrom: 0, keepTo: 3 },
    ];
    expect(isReplyTo({ ...request, task }, reply(optimized([], right)))).toBe(true);
    for (const part of [
      { from: 3, tokens: 0, blocks: [] },
      { from: 0, tokens: -1, blocks: [] },
      { from: 0, tokens: 1 },
      { from: -1, tokens: 1, blocks: [] },
      { from: 1, tokens: 1, content: 'text' },
      { keepFrom: 0, keepTo: 4 },
      { keepFrom: 2, keepTo: 1 },
      { edits: [0, 0, 0, 0], reasons: [] },
      null,
    ]) {
      expect(isReplyTo({ ...request, task }, reply(optimized([], [part])))).toBe(false);
      expect(
        isReplyTo(
          { ...request, task: { kind: 'continue', length: 3 } },
          reply({ kind: 'continued', parts: [part], hasMore: false }),
        ),
      ).toBe(false);
    }
  });
});
