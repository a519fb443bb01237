import { anthropic, type HardBody } from './hard-bodies.ts';

const LONG = 80_000;
const MIDDLE = 20_000;

const repeated = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length));
const NOTE_START = '[1 lines as shown above by ';

/**
 * Each made an expression try very many ways to read it. One that doubles the ways with each repetition is as short as
 * lets the proof end.
 */
const SLOW_TEXTS: readonly string[] = [
  `Success. Updated the following files:\n${'A '.repeat(27)}\nX`,
  `npm${' -a'.repeat(38)} x`,
  `${repeated('a::', 4_000)}\n`,
  `Passed P${repeated('[0', LONG)}\t`,
  `Tests: ${repeated('1 a, ', LONG)}`,
  `= ${repeated('1', LONG)}`,
  `${repeated('\n', LONG)}x`,
  `${repeated('1', LONG)}!`,
  repeated('\\', LONG / 2),
  `${repeated('⟦density: ', MIDDLE)}${repeated(' left out; ', MIDDLE)}`,
  repeated('[density: ; full text: density show ', LONG),
  `[density: word for word the result of the earlier ${repeated(' (a', LONG)}`,
  `${NOTE_START}${repeated(', from "" #1', MIDDLE)}`,
  `0${repeated('0=&0=\t', MIDDLE)}-${repeated('0', MIDDLE)}&`,
  repeated('git diff ', MIDDLE),
  repeated('cat ', LONG),
  repeated('rg ', LONG),
  repeated('node -', LONG),
  `${repeated('\t', LONG)}x`,
  repeated('\n<result>', LONG),
  `[SYSTEM NOTIFICATION - NOT USER INPUT]\n${repeated('a\n', LONG)}`,
  `Note: a${repeated(' was modified, either by the user or by a linter. ', LONG)}`,
  repeated('~', LONG),
  repeated('!', LONG),
  repeated('a', LONG),
  `${repeated('aaaa.', MIDDLE)}!`,
  `${repeated('a/', MIDDLE)}a.b*`,
  `/${repeated('a-', MIDDLE)}*`,
];

/** Calls whose results the rules look at. */
const CALLS: readonly { readonly name: string; readonly input: object }[] = [
  { name: 'Bash', input: { command: 'cat notes.txt' } },
  { name: 'Bash', input: { command: 'npm test' } },
  { name: 'Bash', input: { command: 'npm run build' } },
  { name: 'Read', input: { file_path: '/src/notes.md' } },
  { name: 'Task', input: { prompt: 'report' } },
];

/** Conversations with a tool that prints a slow text, or a command that is one. */
export const slowBodies = (): readonly HardBody[] =>
  SLOW_TEXTS.flatMap((slow, at) =>
    [
      ...CALLS.map((call) => ({ ...call, text: slow })),
      { name: 'Bash', input: { command: slow }, text: repeated('a line that the command printed\n', 1_000) },
    ].map(({ name, input, text }) => {
      const start = { role: 'user', content: 'Go.' };
      const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name, input }] };
      const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: text }] };
      return {
        name: `slow text ${at} (${slow.slice(0, 30)}…), ${name} ${JSON.stringify(input).slice(0, 40)}`,
        path: '/v1/messages',
        body: Buffer.from(anthropic([start, call, result])),
      };
    }),
  );
