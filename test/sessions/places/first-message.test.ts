import { expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { codex } from '../../../src/formats/codex/codex.ts';
import type { SessionFormat } from '../../../src/formats/contract.ts';
import { linesOf } from '../../../src/formats/lines/lines.ts';
import { firstTyped } from '../../../src/sessions/places/first-message.ts';

const ASKED = 'Review PR #36';

/** What the list shows of a session with these lines. */
const shown = (format: SessionFormat, lines: readonly object[]): string | undefined =>
  firstTyped(format.read(linesOf(() => [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))])));

const claudeLine = (fields: object, at: number) => ({
  parentUuid: at === 0 ? null : `u${at - 1}`,
  uuid: `u${at}`,
  sessionId: 's',
  version: '2.1.330',
  isSidechain: false,
  ...fields,
});
const user = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const hook = (type: string, more: object) => ({ type: 'attachment', attachment: { type, ...more } });

test.each<[string, object[]]>([
  [
    'a hook',
    [hook('hook_additional_context', { content: ['# Vercel Plugin Session Context'], hookEvent: 'SessionStart' })],
  ],
  ['a plugin', [hook('hook_success', { content: 'CAVEMAN MODE ACTIVE', hookEvent: 'SessionStart' })]],
  ['a skill', [user('Use this skill.', { isMeta: true })]],
  ['a timer', [user('Check the builds.', { origin: { kind: 'cron' } })]],
  ['a task', [user('The task is done.', { origin: { kind: 'task-notification' } })]],
  ['a compaction', [user('This session is being continued.', { isCompactSummary: true })]],
])('what %s added to Claude Code is not the first message', (_, added) => {
  const lines = [...added, user(ASKED, { origin: { kind: 'human' } })];
  expect(shown(claudeCode, lines.map(claudeLine))).toBe(ASKED);
});

test('a member of a team of Claude Code shows what it was asked', () => {
  const text = `<teammate-message teammate_id="team-lead" summary="x">\n${ASKED}\n</teammate-message>`;
  expect(shown(claudeCode, [claudeLine(user(text), 0)])).toBe(ASKED);
});

test('a command is shown where nothing else was typed', () => {
  const command = user(
    '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>36</command-args>',
  );
  expect(shown(claudeCode, [command].map(claudeLine))).toBe('/review 36');
  expect(shown(claudeCode, [command, user(ASKED)].map(claudeLine))).toBe(ASKED);
});

const item = (payload: object) => ({ timestamp: '2026-01-05T08:00:00.000Z', type: 'response_item', payload });
const text = (words: string) => ({ type: 'input_text', text: words });
const META = {
  timestamp: '2026-01-05T08:00:00.000Z',
  type: 'session_meta',
  payload: { id: 's', timestamp: '2026-01-05T08:00:00.000Z', cwd: '/p', cli_version: '0.144.0' },
};
const TASK = 'Message Type: NEW_TASK\nTask name: /root/legacy\nSender: /root\nPayload:\n';

test('what a hook or Codex itself added to Codex is not the first message', () => {
  const added = item({
    type: 'message',
    role: 'developer',
    content: [text('[bd prime] If this output is truncated …')],
  });
  const asked = item({ type: 'message', role: 'user', content: [text(ASKED)] });
  expect(shown(codex, [META, added, asked])).toBe(ASKED);
});

test('a member of a team of Codex shows its task, or whose task it is where that is encrypted', () => {
  const message = (...content: object[]) =>
    item({ type: 'agent_message', author: '/root', recipient: '/root/legacy', content });
  expect(shown(codex, [META, message(text(`${TASK}${ASKED}`))])).toBe(ASKED);
  const secret = { type: 'encrypted_content', encrypted_content: 'x' };
  expect(shown(codex, [META, message(text(TASK), secret)])).toBe('/root/legacy, a task of /root');
});

test('an entry that says it is not of the user is skipped in every format', () => {
  const added: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'x' }], metadata: { synthetic: true } };
  expect(firstTyped({ events: [{ kind: 'add', content: added }] })).toBeUndefined();
});
