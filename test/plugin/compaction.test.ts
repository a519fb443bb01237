import { describe, expect, test } from 'vitest';
import { stage } from './hook-stage.ts';

const file = (version: number): string =>
  Array.from({ length: 200 }, (_, at) => `${at + 1}\tline ${at} of version ${version}, number ${at * 7}`).join('\n');

interface Message {
  readonly role: string;
  readonly text: string;
  readonly toolUses: object[];
  readonly toolResults?: { readonly tool_use_id: string; readonly text: string; readonly isError: boolean }[];
}

/** The list that Claude Code gives a mod: a file is read, then changed and read again, this many times. */
function transcript(changes: number): Message[] {
  const messages: Message[] = [{ role: 'user', text: 'Change it.', toolUses: [] }];
  const call = (tool: string, input: object, text: string): void => {
    const id = `toolu_${messages.length}`;
    messages.push(
      { role: 'assistant', text: '', toolUses: [{ tool_use_id: id, tool, input }] },
      { role: 'user', text: '', toolUses: [], toolResults: [{ tool_use_id: id, text, isError: false }] },
    );
  };
  call('Read', { file_path: '/w/a.ts' }, file(0));
  for (let version = 1; version <= changes; version++) {
    call('Write', { file_path: '/w/a.ts', content: `version ${version}` }, 'The file has been updated.');
    call('Read', { file_path: '/w/a.ts' }, file(version));
  }
  return [...messages, { role: 'assistant', text: 'Done.', toolUses: [] }];
}

const event = (messages: readonly Message[], more: object = {}): string =>
  JSON.stringify({
    hook_event_name: 'SessionCompact',
    session_id: 'one',
    cwd: '/w',
    model: 'claude-opus-4-5',
    messages,
    ...more,
  });

interface Answer {
  readonly texts: Readonly<Record<string, string>>;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly why: readonly string[];
}

/** The transcript with the texts of an answer in it. */
const withTexts = (messages: readonly Message[], { texts }: Answer): Message[] =>
  messages.map((message) => ({
    ...message,
    ...(message.toolResults && {
      toolResults: message.toolResults.map((one) => ({ ...one, text: texts[one.tool_use_id] ?? one.text })),
    }),
  }));

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ toolResults = [] }) => toolResults.map(({ text }) => text));

describe('a compaction by rules', () => {
  test('removes reads that later ones replace, keeps the last one, and says why', async () => {
    const { answer } = stage();
    const messages = transcript(5);
    const pruned = (await answer(event(messages))) as Answer;
    expect(pruned.tokensAfter).toBeLessThan(pruned.tokensBefore / 2);
    expect(pruned.why.length).toBe(Object.keys(pruned.texts).length);
    expect(textsOf(withTexts(messages, pruned)).at(-1)).toBe(file(5));
  });

  test('archives what it removes, and brings all of it back after several', async () => {
    const { answer } = stage();
    const messages = transcript(3);
    const once = withTexts(messages, (await answer(event(messages))) as Answer);
    const longer = [...once, ...transcript(4).map(renamed)];
    const twice = withTexts(longer, (await answer(event(longer))) as Answer);
    const undone = (await answer(event(twice, { undo: true }))) as Answer;
    expect(textsOf(withTexts(twice, undone))).toEqual([...textsOf(messages), ...textsOf(transcript(4))]);
  });

  test('keeps and notes nothing in a trial', async () => {
    const { answer, archive } = stage();
    const messages = transcript(5);
    const trial = (await answer(event(messages, { trial: true }))) as Answer;
    expect(Object.keys(trial.texts).length).toBeGreaterThan(0);
    expect(await archive.list()).toEqual([]);
    expect(await answer(event(withTexts(messages, trial), { undo: true }))).toBeUndefined();
  });

  test('changes nothing where there is nothing to remove, under a proxy, or for a list that it does not know', async () => {
    const { answer } = stage();
    expect(await answer(event(transcript(0)))).toBeUndefined();
    expect(await answer(event(transcript(5)), { isWrapped: true })).toBeUndefined();
    expect(await answer(event(transcript(5), { messages: [{ role: 'robot' }] }))).toBeUndefined();
    expect(await answer(event(transcript(5), { messages: 'none' }))).toBeUndefined();
  });

  test('changes nothing if the archive cannot be written', async () => {
    const { answer } = stage();
    expect(await answer(event(transcript(5)), { archive: '/dev/null/archive' })).toBeUndefined();
  });
});

/** The same calls under other ids. */
const renamed = (message: Message): Message =>
  JSON.parse(JSON.stringify(message).replaceAll('"toolu_', '"toolu_more_')) as Message;
