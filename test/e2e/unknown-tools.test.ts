import path from 'node:path';
import { expect, test } from 'vitest';
import { Computer } from './density.ts';

const call = (id: string, name: string, args: object) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: id, content: 'one line\n'.repeat(50) },
];
const CHAT = [
  { role: 'user', content: 'go' },
  ...call('1', 'peek', { at: '/p/a.ts' }),
  ...call('2', 'poke', { at: '/p/a.ts', text: 'x' }),
  { role: 'assistant', content: 'done' },
];

function planted(messages: readonly object[]): { computer: Computer; session: string; out: string } {
  const computer = new Computer();
  const session = computer.write('work/chat.json', JSON.stringify(messages));
  return { computer, session, out: path.join(computer.folder, 'out.json') };
}

const SPECIFIED = ['--profile', 'specification'];
const LINE = '2 tools not known: peek, poke (2 calls)';
const UNKNOWN = [
  { name: 'peek', calls: 1 },
  { name: 'poke', calls: 1 },
];

test('reports say which tools are not known, instead of that nothing is stale', async () => {
  const { computer, session, out } = planted(CHAT);
  for (const args of [
    ['inspect', session],
    ['optimize', session, '-o', out],
    ['replay', session],
    ['replay', session, '--all'],
    ['replay', session, '-o', path.join(computer.folder, 'page.html')],
  ]) {
    const { out: report } = await computer.run(args);
    expect(report).toContain(LINE);
    expect(report).not.toMatch(/nothing (?:is )?stale/);
  }
  for (const args of [
    ['inspect', session, '--json'],
    ['optimize', session, '-o', out, '--force', '--json'],
    ['replay', session, '--json'],
    ['replay', session, '-o', path.join(computer.folder, 'page.html'), '--force', '--json'],
  ]) {
    const { out: json } = await computer.run(args);
    expect(JSON.parse(json)).toMatchObject({ unknownTools: UNKNOWN });
  }
});

test('--tools makes them known', async () => {
  const { computer, session, out } = planted(CHAT);
  const tools = ['--tools', 'read=peek:at,write=poke:at'];
  const { out: json } = await computer.run(['optimize', session, '-o', out, ...SPECIFIED, '--json', ...tools]);
  expect(JSON.parse(json)).toMatchObject({ unknownTools: [], removed: { readWritePairs: 1 } });
});

test('--tools reaches what is stale in inspect, and what certificates and compare know of files', async () => {
  const { computer, session, out } = planted(CHAT);
  const tools = ['--tools', 'read=peek:at,write=poke:at'];
  const inspected = await computer.run(['inspect', session, ...SPECIFIED, '--json', ...tools]);
  expect(JSON.parse(inspected.out)).toMatchObject({ unknownTools: [], removed: { readWritePairs: 1 } });
  const { out: json } = await computer.run([
    'optimize',
    session,
    '-o',
    out,
    ...SPECIFIED,
    '--json',
    '--certificate',
    ...tools,
  ]);
  expect(JSON.stringify(JSON.parse(json))).toContain('/p/a.ts');
});

test('a session in a format of no agent is pruned by the tools of its agent', async () => {
  const chat = [
    CHAT[0]!,
    ...call('1', 'Read', { file_path: '/p/a.ts' }),
    ...call('2', 'Edit', { file_path: '/p/a.ts', old_string: 'one', new_string: 'two' }),
    { role: 'assistant', content: 'done' },
  ];
  const { computer, session, out } = planted(chat);
  const { out: json } = await computer.run(['optimize', session, '-o', out, ...SPECIFIED, '--json']);
  expect(JSON.parse(json)).toMatchObject({ unknownTools: [], removed: { readWritePairs: 1 } });
});
