import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stage } from './hook-stage.ts';

describe('a session that is resumed', () => {
  const COLD = { context_tokens: 180_000, prompt_cache_likely_expired: true, estimated_cache_write_usd: 0.675 };

  test('is offered in a smaller copy if its prompt cache has expired and enough is removable', async () => {
    const { session, answer } = stage();
    session.line('p');
    const offer = await answer(session.start('resume', COLD), { countRemovable: () => Promise.resolve(75_000) });
    expect(offer).toEqual({
      systemMessage: `density: the prompt cache of this session has expired, so its next call writes 180k tokens again, about $0.68. Leave, and \`density optimize ${session.id} --start\` goes on in a copy without 75.0k of them (42%).`,
    });
  });

  test.each([
    ['is new', 'startup', COLD, 75_000],
    ['is warm', 'resume', { ...COLD, prompt_cache_likely_expired: false }, 75_000],
    ['is small', 'resume', { ...COLD, context_tokens: 9_000 }, 5_000],
    ['has little that is removable', 'resume', COLD, 9_000],
    ['takes too long to count', 'resume', COLD, undefined],
  ])('is not offered if it %s', async (_, source, facts, stale) => {
    const { session, answer } = stage();
    session.line('p');
    expect(
      await answer(session.start(source, facts), { countRemovable: () => Promise.resolve(stale) }),
    ).toBeUndefined();
  });

  test('is offered in Codex by the last count in its file and its time', async () => {
    const { session, answer } = stage();
    const info = { last_token_usage: { input_tokens: 90_000 } };
    session.write({ timestamp: '2026-11-22T20:57:50.576Z', type: 'event_msg', payload: { type: 'token_count', info } });
    session.write({ type: 'event_msg', payload: { type: 'token_count', info: null } });
    session.write({ type: 'event_msg', payload: { type: 'agent_message' } });
    const now = Date.parse('2026-11-22T20:57:50.576Z');
    const countRemovable = () => Promise.resolve(30_000);
    expect(await answer(session.start('resume'), { now: now + 50 * 60_000, countRemovable })).toBeUndefined();
    expect(await answer(session.start('resume'), { now: now + 70 * 60_000, countRemovable })).toMatchObject({
      systemMessage: expect.stringContaining('writes 90.0k tokens again. Leave, and'),
    });
  });
});

describe('a Claude Code that does not call the modules of plugins', () => {
  test('is told once for each version at the start of a session what it lacks', async () => {
    const { session, answer } = stage();
    session.line('p');
    const start = (version: string): Promise<object | undefined> =>
      answer(session.start('startup', {}), { runsIn: `claude-code_${version}_harness` });
    expect(await start('2-1-286')).toEqual({
      systemMessage:
        'density: the command /density and compaction by rules need Claude Code 2.1.287 or newer, and this is 2.1.286; the rest of the plugin works.',
    });
    expect(await start('2-1-286')).toBeUndefined();
    expect(await start('2-0-300')).toMatchObject({ systemMessage: expect.stringContaining('this is 2.0.300') });
  });

  test.each([
    'claude-code_2-1-287_harness',
    'claude-code_2-2-1_agent',
    'claude-code_3-0-0_agent',
    'another',
    undefined,
  ])('is not %s', async (runsIn) => {
    const { session, answer } = stage();
    session.line('p');
    expect(await answer(session.start('startup', {}), { runsIn })).toBeUndefined();
  });
});

test('at the start of a session, what was noted of conversations for a month without a call is deleted', async () => {
  const { folder, session, answer } = stage();
  const noted = path.join(folder, 'plugin');
  mkdirSync(noted);
  const now = Date.parse('2026-11-22T20:57:50.576Z');
  for (const [name, days] of [
    ['old.lines', 31],
    ['new.lines', 29],
    ['troubles.log', 31],
  ] as const) {
    writeFileSync(path.join(noted, name), '');
    utimesSync(path.join(noted, name), now / 1000, now / 1000 - days * 86_400);
  }
  session.line('p');
  expect(await answer(session.start('startup'), { now })).toBeUndefined();
  expect(readdirSync(noted).sort()).toEqual(['new.lines', 'troubles.log']);
});

test.each(['', 'no JSON', '[]', '{}', '{"hook_event_name":"Stop"}', '{"hook_event_name":"Stop","session_id":"../x"}'])(
  'what is no event is refused: %s',
  async (text) => {
    await expect(stage().answer(text)).rejects.toThrow();
  },
);
