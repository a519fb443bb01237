import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileBytes } from '../../src/disk/file-bytes.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { decode, joinLines, linesOf } from '../../src/formats/lines/lines.ts';
import { opencode } from '../../src/formats/opencode/opencode.ts';
import { readSession } from '../../src/sessions/read-session.ts';
import { historyOf, spoken } from '../contracts/format.ts';
import { opencodeSample } from '../formats/opencode-fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(path.join(tmpdir(), 'density-storage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files that opencode keeps of what it exports as `text`. */
function stored(text: string, name: string): { session: string; part: string } {
  const { info, messages } = JSON.parse(text) as { info: Fields; messages: { info: Fields; parts: Fields[] }[] };
  const storage = path.join(folder, name, 'storage');
  const write = (value: Fields, ...place: readonly string[]): string => {
    const file = path.join(storage, ...place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value, null, 2));
    return file;
  };
  let part = '';
  for (const message of messages) {
    const id = String(message.info['id']);
    write(message.info, 'message', String(info['id']), `${id}.json`);
    for (const one of message.parts) part = write(one, 'part', id, `${String(one['id'])}.json`);
  }
  return { session: write(info, 'session', 'global', `${String(info['id'])}.json`), part };
}

describe('a session of opencode in its storage folder', () => {
  test('is read as what opencode would export, every file in it byte for byte', () => {
    for (const [index, text] of opencodeSample.texts.entries()) {
      const { session, part } = stored(text, `whole-${index}`);
      const bytes = fileBytes(session);
      const read = readSession(bytes);
      expect(read.format.name).toBe('opencode');
      expect(read.session.id).toBe(opencode.read(linesOf(() => [new TextEncoder().encode(text)])).id);
      expect(spoken(liveHistory(read.session))).toEqual(spoken(historyOf(opencode, text)));
      const document = joinLines(bytes.chunks());
      expect(document.length).toBe(bytes.sizeBytes);
      expect(decode(document)).toContain(decode(joinLines(fileBytes(part).chunks())));
      const history = liveHistory(read.session);
      expect(
        joinLines(
          opencode.write?.(
            linesOf(() => bytes.chunks()),
            history,
          ) ?? [],
        ),
      ).toEqual(document);
    }
  });

  test('is refused with the name of the file that is broken', () => {
    const { session, part } = stored(opencodeSample.texts[0] ?? '', 'broken');
    writeFileSync(part, '{"cut');
    expect(() => readSession(fileBytes(session))).toThrow(part);
  });

  test('that has no messages is the file alone', () => {
    const file = path.join(folder, 'storage', 'session', 'p', 'ses_1.json');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{"id":"ses_1"}');
    expect(decode(joinLines(fileBytes(file).chunks()))).toBe('{"id":"ses_1"}');
  });
});
