import { isRecord } from '../../../src/content/foreign-value.ts';
import type { FaultyUpstream, UpstreamFault } from './faulty-upstream.ts';
import { anthropic } from './hard-bodies.ts';
import { ProxyWithoutFaults } from './without-faults.ts';

const PATH = '/v1/messages';
const SHOWN = /as shown above by/;
const CLEARED = '[Old tool result content cleared]';
const CLEARS = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
const FILE = Array.from({ length: 160 }, (_, at) => `line number ${at + 1} of the file, with words of its own`).join(
  '\n',
);

const read = (id: string, content = FILE): readonly object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a.ts' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
];
const ONCE = read('t1');
const TWICE = [...ONCE, ...read('t2')];
const FIRST_CLEARED = [...read('t1', CLEARED), ...read('t2')];
const WITH_SYSTEM = [{ role: 'system', content: 'A hook says this.' }, ...TWICE];
/** Long enough for a cache. */
const start = (name: string): object => ({
  role: 'user',
  content: `${name}: ${'some words of a task. '.repeat(3_000)}`,
});

interface Next {
  /** After the start. */
  readonly messages: readonly object[];
  readonly fields?: object;
  readonly fault?: UpstreamFault;
  /** True if the last result is sent as a note. */
  readonly hasNote: boolean;
}

const noted: Next = { messages: TWICE, hasNote: true };
const PLAYS: Readonly<Record<string, readonly Next[]>> = {
  'a hint to clear context (422)': [
    { ...noted, fault: '422' },
    { messages: FIRST_CLEARED, hasNote: false },
  ],
  'a hint to clear context (424)': [noted, { ...noted, fault: '424' }, { messages: FIRST_CLEARED, hasNote: false }],
  'a provider that may clear results': [{ messages: TWICE, fields: CLEARS, hasNote: false }],
  'a provider that may clear results from now on': [noted, { messages: TWICE, fields: CLEARS, hasNote: false }],
  'a message of the system in the middle': [noted, { messages: WITH_SYSTEM, hasNote: true }],
};

const messagesIn = (body: Buffer): readonly unknown[] => {
  const request: unknown = JSON.parse(body.toString());
  return isRecord(request) && Array.isArray(request['messages']) ? request['messages'] : [];
};

/**
 * Conversations that read a file twice, so that a note stands for the second result, and what then comes. Returns what is wrong: a note
 * stands where the model sees what it names and nowhere else, is the same each time, and no request is sent twice.
 */
export async function playNextRequests(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  const problems: string[] = [];
  const proxy = new ProxyWithoutFaults(upstream);
  await proxy.start(base);
  for (const [name, play] of Object.entries(PLAYS)) {
    const notes = new Set<string>();
    const first: Next = { messages: ONCE, hasNote: false };
    for (const { messages: more, fields, fault, hasNote } of [first, ...play]) {
      const messages = [start(name), ...more];
      const body = Buffer.from(anthropic(messages, fields));
      const { got, seen } = await proxy.send(name, PATH, body, fault);
      proxy.clockMs += 4_000;
      if (got?.status !== Number(fault ?? 200)) problems.push(`${name}: status ${got?.status}`);
      if (seen.length !== 1) problems.push(`${name}: the provider was asked ${seen.length} times`);
      const sent = messagesIn(seen[0] ?? body);
      const note = JSON.stringify(sent.at(-1));
      if (SHOWN.test(note) !== hasNote) problems.push(`${name}: the last result was sent as ${note.slice(0, 200)}`);
      if (hasNote) notes.add(note);
      const others = JSON.stringify(sent.slice(0, hasNote ? -1 : undefined));
      if (others !== JSON.stringify(messages.slice(0, hasNote ? -1 : undefined)))
        problems.push(`${name}: the provider saw other messages`);
    }
    if (notes.size > 1) problems.push(`${name}: the note is not the same each time`);
  }
  await proxy.close();
  return problems;
}
