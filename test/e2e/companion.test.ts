import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cline } from '../../src/formats/cline/cline.ts';
import { decode, joinLines } from '../../src/formats/lines/lines.ts';
import { Computer, EDITED, ONLY_NEXT } from './density.ts';

const NAME = 'api_conversation_history.json';
const TWIN = 'ui_messages.json';

/** A task folder whose screen messages refer to the last message of its conversation. */
function planted() {
  const computer = new Computer();
  const text = decode(joinLines(cline.create?.(EDITED, { id: 't1', startedAt: Date.UTC(2026, 0, 5) }) ?? []));
  const last = (JSON.parse(text) as unknown[]).length - 1;
  const session = computer.write(`tasks/1/${NAME}`, text);
  const twin = JSON.stringify([{ ts: 1, type: 'say', say: 'text', conversationHistoryIndex: last }]);
  computer.write(`tasks/1/${TWIN}`, twin);
  const folder = path.join(computer.home, 'tasks', '2');
  mkdirSync(folder);
  return { computer, session, last, twin, folder };
}

const named = (folder: string): unknown =>
  (JSON.parse(readFileSync(path.join(folder, TWIN), 'utf8')) as Record<string, unknown>[])[0]?.[
    'conversationHistoryIndex'
  ];

test('a smaller or restored task of Cline gets matching messages for its screen beside it', async () => {
  const { computer, session, last, twin, folder } = planted();
  const out = path.join(folder, NAME);
  const compressed = await computer.run([
    'optimize',
    session,
    '--strategy',
    'high-density',
    '-o',
    out,
    '--context-limit',
    '60',
  ]);
  expect([compressed.code, compressed.err]).toEqual([0, ONLY_NEXT]);
  const left = (JSON.parse(readFileSync(out, 'utf8')) as unknown[]).length;
  expect(left).toBeLessThan(last + 1);
  expect(named(folder)).toBe(left - 1);
  expect(readFileSync(path.join(path.dirname(session), TWIN), 'utf8')).toBe(twin);
  const back = path.join(computer.home, 'tasks', '3');
  mkdirSync(back);
  expect((await computer.run(['restore', out, '-o', path.join(back, NAME)])).code).toBe(0);
  expect(named(back)).toBe(last);
});

test('under another name only the session is written, and an existing file is kept', async () => {
  const { computer, session, folder } = planted();
  await computer.run(['optimize', session, '-o', path.join(folder, 'smaller.json')]);
  expect(existsSync(path.join(folder, TWIN))).toBe(false);
  computer.write(`tasks/2/${TWIN}`, 'mine');
  const { code, err } = await computer.run(['optimize', session, '-o', path.join(folder, NAME)]);
  expect([code, existsSync(path.join(folder, NAME))]).toEqual([1, false]);
  expect(err).toContain(TWIN);
  expect(readFileSync(path.join(folder, TWIN), 'utf8')).toBe('mine');
});
