import { describe, expect, test } from 'vitest';
import { aider } from '../../../src/formats/aider/aider.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { aiderSample } from '../aider-fixture.ts';
import { session, words } from '../words.ts';

const [log] = aiderSample.texts;

describe('aider chat histories', () => {
  test('are read-only', () => {
    expect([aider.write, aider.create]).toEqual([undefined, undefined]);
  });

  test('are what the user and the model said, headings and edits included; what aider printed is omitted', () => {
    const read = session(aider, log);
    expect(read.model).toBe('model-x');
    expect(words(liveHistory(read))).toEqual(['human thanks', 'ai You are welcome.']);
    expect(words(read.events.flatMap((event) => (event.kind === 'add' ? event.content : [])))).toEqual([
      'human rename `a` to `b`\n\nand say why ✗',
      'ai Because it is shorter:\n\n# Why\n\na.py\n```python\n<<<<<<< SEARCH\na = 1\n=======\nb = 1\n>>>>>>> REPLACE\n```',
      'human thanks',
      'ai You are welcome.',
    ]);
  });

  test('begin a new context with each chat in which something was said', () => {
    const chat = (minute: number, said: string): string =>
      `# aider chat started at 2026-01-02 03:0${minute}:00\n\n${said}`;
    const read = session(
      aider,
      [chat(1, '#### one\n'), chat(2, ''), chat(3, '#### two\n\nyes\n'), chat(4, '')].join('\n'),
    );
    expect(read.events.map(({ kind }) => kind)).toEqual(['add', 'replace', 'add', 'add']);
    expect(words(liveHistory(read))).toEqual(['human two', 'ai yes']);
  });

  test('give each entry the line it starts at and the time its chat started', () => {
    const { events } = session(aider, log);
    const entries = events.flatMap((event) => (event.kind === 'add' ? event.content : []));
    const [first, , third] = entries.map(({ metadata }) => metadata);
    expect(first).toEqual({ id: 'line-9', timestamp: Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(third).toEqual({ id: 'line-31', timestamp: Date.UTC(2026, 0, 2, 4) });
  });
});
