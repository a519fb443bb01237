import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { Loopback, plain, silentStream, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';
import { Computer, jsonLines, outcomeOf, sessionText } from './density.ts';

const computer = new Computer();
const loopback = new Loopback();
const wire = WIRES['anthropic']!;
const project = path.join(computer.home, 'project');
let environment: Record<string, string> = {};

beforeAll(async () => {
  environment = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', ANTHROPIC_BASE_URL: await loopback.start() };
  mkdirSync(project);
  writeFileSync(path.join(project, 'a.ts'), 'export const a = 1;\n');
});
afterAll(() => loopback.stop());

const read = (id: string, file: string): IContent[] => [
  { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read_file', parameters: { absolute_path: file } }] },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: id, toolName: 'read_file', result: 'old text '.repeat(200) }],
  },
];
const ENTRIES: IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Please mend the harbour office.' }] },
  ...read('one', `${project}/a.ts`),
  ...read('two', '/etc/passwd'),
  { speaker: 'ai', blocks: [{ type: 'text', text: 'Mended.' }] },
];
const session = computer.write('session.jsonl', sessionText(ENTRIES, { workspaceRoot: project }));
/** A model is asked only if a person types it. */
const MODEL = ['--model', 'claude-haiku-4-5'];
const texts = (file: string): string[] =>
  liveHistory(highDensity.read(linesOf(() => [readFileSync(file)]))).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );

describe('density optimize --model without a strategy', () => {
  test('--dry-run shows what would be summarised and restored, asks no model, needs no key and writes nothing', async () => {
    loopback.willAnswer(plain(500, 'not to be asked'));
    const { code, out, err } = await computer.run(['optimize', session, ...MODEL, '--dry-run']);
    expect(code).toBe(0);
    expect(out).toContain('6 messages to summarise');
    expect(out).toMatch(/1 file restored, \d+ tokens\n {2}.*a\.ts/);
    expect(out).toContain('Please mend the harbour office.');
    expect(out).toContain('Pay special attention to the MOST RECENT messages');
    expect(err).toContain('Not restored: /etc/passwd');
    const json = await computer.run(['optimize', session, ...MODEL, '--dry-run', '--json']);
    expect(jsonLines(json.out)[0]).toMatchObject({ restMessages: 6, headMessages: 0, restored: [`${project}/a.ts`] });
    expect(loopback.requests).toEqual([]);
    expect(readdirSync(computer.folder)).toEqual([]);
  });

  test('writes summary and restored files as a session of the same format and names the original messages', async () => {
    loopback.willAnswer(stream(wire.events({ texts: ['The office is mended.'], ending: 'stop' })));
    const target = path.join(computer.folder, 'out.jsonl');
    const { code, out, err } = await computer.run(['optimize', session, ...MODEL, '-o', target], environment);
    expect(err).toContain('Not restored: /etc/passwd');
    expect(code).toBe(0);
    expect(out).toMatch(/tokens in the context, \d+% removed\n6 messages summarised, 0 messages kept\n1 file restored/);
    expect(texts(target)).toEqual([
      '[Conversation compressed]\n\nThe office is mended.',
      expect.stringMatching(/^Understood/),
      `[Restored after compact] ${project}/a.ts:\nexport const a = 1;\n`,
      'Noted, file content restored.',
    ]);
    const kept = path.join(computer.folder, /kept in (.*)/.exec(out)?.[1] ?? '');
    expect(kept).toContain('.compact/planted/compact-');
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toHaveLength(6);
    const again = await computer.run(['optimize', session, ...MODEL, '-o', target], environment);
    expect(again.err).toContain('--force');
    const json = await computer.run(['optimize', session, ...MODEL, '-o', target, '--force', '--json'], environment);
    expect(jsonLines(json.out)[0]).toMatchObject({ compactedMessageCount: 6, restoredFileCount: 1 });
  });

  test('with -o - writes the session to standard output and the report to standard error', async () => {
    loopback.willAnswer(stream(wire.events({ texts: ['Mended.'], ending: 'stop' })));
    const { out, err } = await computer.run(['optimize', session, ...MODEL, '-o', '-'], {
      ...environment,
      MAX_RESTORE_FILES: '0',
    });
    expect(jsonLines(out).length).toBeGreaterThan(2);
    expect(err).toContain('no file restored');
  });

  test.each<[string, string[], Record<string, string> | undefined, number, string]>([
    ['without a place to write to', [], undefined, 2, 'Expected -o <file>'],
    ['without a key', ['-o', 'x.jsonl'], {}, 1, 'ANTHROPIC_API_KEY'],
    ['with a model of another provider', ['-o', 'x.jsonl', '--model', 'gpt-5'], undefined, 2, '--strategy one-shot'],
  ])('%s it says so and writes nothing', async (_, more, own, exitCode, words) => {
    const { code, err } = await computer.run(['optimize', session, ...MODEL, ...more], own ?? environment);
    expect(code).toBe(exitCode);
    expect(err).toContain(words);
    expect(existsSync(path.join(computer.folder, 'x.jsonl'))).toBe(false);
  });

  test('fails and leaves no file if the model refuses', async () => {
    loopback.willAnswer(plain(401, wire.errorBody('invalid x-api-key', 'authentication_error')));
    const kept = { ...environment, COMPACT_OUTPUT_DIR: 'kept' };
    const { code, err } = await computer.run(['optimize', session, ...MODEL, '-o', 'y.jsonl'], kept);
    expect(code).toBe(1);
    expect(err).toContain('invalid x-api-key');
    expect(err).toContain('Nothing was written');
    expect(existsSync(path.join(computer.folder, 'y.jsonl'))).toBe(false);
    expect(existsSync(path.join(computer.folder, 'kept'))).toBe(false);
  });

  test('Ctrl-C ends it at once and leaves no file', async () => {
    const child = computer.start(['optimize', session, ...MODEL, '-o', 'z.jsonl'], {
      ...environment,
      COMPACT_OUTPUT_DIR: 'cut',
    });
    loopback.willAnswer((response, closed) => {
      void silentStream([])(response, closed);
      child.kill('SIGINT');
    });
    const { signal } = await outcomeOf(child);
    expect(signal).toBe('SIGINT');
    expect(existsSync(path.join(computer.folder, 'z.jsonl'))).toBe(false);
    expect(existsSync(path.join(computer.folder, 'cut'))).toBe(false);
  });
});
