import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type HookEvent, hookEvent } from '../../src/plugin/hook-event.ts';
import { seenCalls } from '../../src/plugin/seen-calls.ts';
import { runs } from '../property-runs.ts';
import { RecordedSession } from './recorded-events.ts';

const root = mkdtempSync(path.join(tmpdir(), 'density-seen-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let sessions = 0;
const newSession = (): RecordedSession => new RecordedSession(path.join(root, String(sessions++)), 'fc5e04a8');
const seenIds = (event: HookEvent, wanted: ReadonlySet<string> | 'all'): readonly string[] =>
  seenCalls(event, wanted).map(({ id }) => id);

const used = (id: string): object => ({
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/p/${id}` } }] },
});
const answered = (id: string, content: unknown): object => ({
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
});

describe('the calls that the model of Claude Code still sees', () => {
  test('have their results, which may be beside the path, as of calls at once', () => {
    const session = newSession();
    session.line('a1', used('toolu_1'));
    session.line('a2', used('toolu_2'));
    session.line('u1', { ...answered('toolu_1', 'one'), parentUuid: 'a1' });
    session.line('u2', { ...answered('toolu_2', [{ type: 'text', text: 'two' }]), parentUuid: 'a2' });
    session.line('a3', used('toolu_3'));
    const event = hookEvent(session.read('toolu_3', ''));
    const call = (id: string, result: string | undefined): object => ({
      id,
      name: 'Read',
      input: { file_path: `/p/${id}` },
      result,
    });
    const seen = [call('toolu_1', 'one'), call('toolu_2', 'two'), call('toolu_3', undefined)];
    expect(seenCalls(event, new Set(['toolu_1', 'toolu_2', 'toolu_3', 'toolu_9']))).toEqual(seen);
    expect(seenIds(event, 'all')).toEqual(['toolu_1', 'toolu_2', 'toolu_3']);
  });

  test('are the same where a crash left two records on one line, NUL bytes before one, or a part of one', () => {
    const record = fc.record({
      // A path of usual ids is followed without parsing lines.
      isLong: fc.boolean(),
      text: fc.constantFrom('', '{"parentUuid":"', 'ä'.repeat(300_000)),
      end: fc.constantFrom('\n', '', '\0\0', '\n\0\0', '\n{"parentUuid":"cut","message":{"content":"br'),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 2, maxLength: 10 }), (records) => {
        const session = newSession();
        const idOf = (at: number): string => `u-${at}`.padEnd(records[at]!.isLong ? 36 : 0, '-');
        const lines = records.map(({ text, end }, at) => {
          const ids = { parentUuid: at === 0 ? null : idOf(at - 1), isSidechain: false, uuid: idOf(at) };
          return `${JSON.stringify({ ...ids, ...used(`toolu_${at}_`), text })}${end}`;
        });
        writeFileSync(session.transcript, `${lines.join('')}\n`);
        const event = hookEvent(session.read('toolu_new', ''));
        const all = records.map((_, at) => `toolu_${at}_`);
        expect(seenIds(event, 'all')).toEqual(all);
        expect(seenIds(event, new Set(['toolu_0_']))).toEqual(['toolu_0_']);
      }),
      { numRuns: runs(25) },
    );
  });

  test('are those on the path of parents from the newest line, whatever else the lines contain', () => {
    const lines = fc.array(
      fc.record({ back: fc.nat(3), text: fc.constantFrom('', '"uuid":"u-0"', 'ä'.repeat(140_000)) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(lines, (tree) => {
        const session = newSession();
        const parents: number[] = [];
        for (const [at, { back, text }] of tree.entries()) {
          const parent = at - 1 - back;
          parents.push(parent);
          session.line(`u-${at}`, {
            parentUuid: parent < 0 ? null : `u-${parent}`,
            ...used(`toolu_${at}_`),
            text,
          });
        }
        const path: string[] = [];
        for (let at = tree.length - 1; at >= 0; at = parents[at]!) path.unshift(`toolu_${at}_`);
        const event = hookEvent(session.read('toolu_new', ''));
        expect(seenIds(event, 'all')).toEqual(path);
        expect(seenIds(event, new Set(tree.map((_, at) => `toolu_${at}_`)))).toEqual(path);
      }),
      { numRuns: runs(25) },
    );
  });
});

test('the calls that the model of Codex still sees are those after the last compaction or rollback', () => {
  const session = newSession();
  const item = (payload: object): void => session.write({ type: 'response_item', payload });
  const called = (id: string): void => {
    item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"cat a.ts"}', call_id: id });
    item({ type: 'function_call_output', call_id: id, output: `text of ${id}` });
  };
  called('call_1');
  session.write({ type: 'event_msg', payload: { type: 'thread_rolled_back' } });
  called('call_2');
  const event = hookEvent(session.codex('call_3', ''));
  const seen = { id: 'call_2', name: 'exec_command', input: { cmd: 'cat a.ts' }, result: 'text of call_2' };
  expect(seenIds(event, 'all')).toEqual(['call_2']);
  expect(seenCalls(event, new Set(['call_1', 'call_2']))).toEqual([seen]);
});

test('a record of Codex is read where it follows another one on its line, or NUL bytes', () => {
  const session = newSession();
  const item = (payload: object): string => JSON.stringify({ type: 'response_item', payload });
  const call = item({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'call_1' });
  const result = item({ type: 'function_call_output', call_id: 'call_1', output: 'text' });
  const seen = { id: 'call_1', name: 'exec_command', input: {}, result: 'text' };
  for (const text of [`${call}${result}`, `\0\0${call}\n\0${result}\n`, `{"type":"ev${call}\n${result}`]) {
    writeFileSync(session.transcript, text);
    expect(seenCalls(hookEvent(session.codex('call_3', '')), new Set(['call_1']))).toEqual([seen]);
  }
});
