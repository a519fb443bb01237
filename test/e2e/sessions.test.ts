import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codex } from '../../src/formats/codex/codex.ts';
import { decode, joinLines } from '../../src/formats/lines/lines.ts';
import { claudeCodeSample } from '../formats/claude-code-fixture.ts';
import { COMMAND, COMMAND_FOLDER } from './command.ts';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

const STARTED_AT = Date.UTC(2026, 0, 5, 8);

const rollout = (workspaceRoot: string): string =>
  decode(joinLines(codex.create?.(EDITED, { id: 's1', workspaceRoot, startedAt: STARTED_AT }) ?? []));

/** Names, sizes and times of all files in a folder tree. */
function stateOf(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return [name, size, mtimeMs];
  });
}

describe('density sessions', () => {
  test('lists what agents recorded, newest first, with marked estimates', async () => {
    const computer = new Computer();
    computer.write('.codex/sessions/2026/01/05/rollout-1.jsonl', rollout('/repo/"quoted" é'));
    computer.write('.claude/projects/-work-demo/one.jsonl', claudeCodeSample.texts[0] ?? '');
    computer.write('.claude/projects/-work-demo/agent-1.jsonl', claudeCodeSample.texts[0] ?? '');
    computer.write('.local/share/opencode/storage/session/p/ses_1.json', '{"id":"ses_1","directory":"/repo/open"}');
    computer.write(
      '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json',
      '[]',
    );
    const before = stateOf(computer.home);
    const { code, out } = await computer.run(['sessions', '--json']);
    expect(code).toBe(0);
    const listed = jsonLines(out);
    expect(listed.map(({ agent }) => agent).sort()).toEqual(['Claude Code', 'Cline', 'Codex', 'opencode']);
    const times = listed.map(({ changedAt }) => String(changedAt));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(listed.every(({ isEstimate }) => isEstimate)).toBe(true);
    expect(listed.find(({ agent }) => agent === 'Codex')).toMatchObject({ project: '/repo/"quoted" é', problem: null });
    expect(listed.find(({ agent }) => agent === 'opencode')).toMatchObject({ project: '/repo/open', tokens: null });
    expect(stateOf(computer.home)).toEqual(before);
  });

  test('counts exactly on request, and lists unreadable sessions too', async () => {
    const computer = new Computer();
    computer.write('.codex/sessions/rollout-1.jsonl', rollout('/project'));
    computer.write('.claude/projects/p/broken.jsonl', '{"cut');
    const listed = jsonLines((await computer.run(['sessions', '--json', '--exact'])).out);
    const inspected = jsonLines(
      (await computer.run(['inspect', path.join(computer.home, '.codex/sessions/rollout-1.jsonl'), '--json'])).out,
    );
    const [found, broken] = listed.toSorted((one) => (one['agent'] === 'Codex' ? -1 : 1));
    expect(found).toMatchObject({ isEstimate: false, format: 'codex', entries: 8, tokens: inspected[0]?.['tokens'] });
    expect(broken).toMatchObject({ isEstimate: true, problem: expect.stringContaining('broken.jsonl') });
    const { out, err } = await computer.run(['sessions', '--exact', '--limit', '1']);
    expect(out).toMatch(/^id +agent +age +tokens +removable +project +first message\n/);

    expect(err).toContain('and 1 older one');
  });

  test('a transcript beside an output is no session', async () => {
    const computer = new Computer();
    const session = computer.write('.codex/sessions/rollout-1.jsonl', sessionText(EDITED));
    const smaller = session.replace('-1', '-2');
    expect((await computer.run(['optimize', session, '-o', smaller])).code).toBe(0);
    const files = stateOf(path.dirname(session)).map((state) => (state as unknown[])[0]);
    expect(files).toContain('rollout-2.jsonl.transcript.jsonl');
    const imposter = computer.write('.codex/sessions/rollout-3.transcript.jsonl', rollout('/project'));
    const listed = jsonLines((await computer.run(['sessions', '--json'])).out).map(({ path: file }) => file);
    expect(listed.toSorted()).toEqual([session, smaller, imposter]);
    const { out } = await computer.run(['compare', path.dirname(session), '--json', '--policy', 'recommended']);
    for (const file of [session, smaller, imposter]) expect(out).toContain(`${file}"`);
    expect(out).not.toContain('rollout-2.jsonl.transcript');
  });

  test('finds the project of a session that does not name it, from its folder or its prompt', async () => {
    const computer = new Computer();
    const chat = '{"sessionId":"s","projectHash":"h","messages":[]}';
    computer.write('.gemini/tmp/harbour/chats/session-1.json', chat);
    computer.write('.gemini/tmp/noted/chats/session-1.json', chat);
    computer.write('.gemini/tmp/noted/.project_root', '/repo/noted\n');
    computer.write('.llxprt/tmp/desk/chats/session-1.jsonl', '{}\n');
    const told = [{ role: 'user', content: 'Go.\n# Current Workspace Directory (c:\\repo\\é) Files\n' }];
    computer.write(
      '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/17/api_conversation_history.json',
      JSON.stringify(told),
    );
    const listed = jsonLines((await computer.run(['sessions', '--json'])).out);
    expect(listed.map(({ project }) => project).sort()).toEqual(['/repo/noted', 'c:\\repo\\é', 'desk', 'harbour']);
  });

  test('searches the folders that the environment names', async () => {
    const computer = new Computer();
    computer.write('elsewhere/sessions/rollout-1.jsonl', rollout('/project'));
    computer.write('claude/projects/p/one.jsonl', claudeCodeSample.texts[0] ?? '');
    computer.write('pi/sessions/p/one.jsonl', '{"type":"session","cwd":"/repo/pi"}\n');
    computer.write('copilot/session-state/1/events.jsonl', '{}\n');
    computer.write('gemini/.gemini/tmp/p/chats/session-1.json', '{}');
    computer.write('xdg/opencode/storage/session/p/ses_1.json', '{}');
    computer.write('config/VSCodium/User/globalStorage/kilocode.kilo-code/tasks/1/api_conversation_history.json', '[]');
    const at = (folder: string): string => path.join(computer.home, folder);
    const { out } = await computer.run(['sessions', '--json'], {
      CODEX_HOME: at('elsewhere'),
      CLAUDE_CONFIG_DIR: at('claude'),
      PI_CODING_AGENT_DIR: at('pi'),
      COPILOT_HOME: at('copilot'),
      GEMINI_CLI_HOME: at('gemini'),
      XDG_DATA_HOME: at('xdg'),
      XDG_CONFIG_HOME: at('config'),
    });
    expect(
      jsonLines(out)
        .map(({ agent }) => agent)
        .sort(),
    ).toEqual(['Claude Code', 'Codex', 'Copilot CLI', 'Gemini CLI', 'Kilo Code', 'opencode', 'pi']);
  });

  test('ignores an empty HOME and relative XDG folders', async () => {
    const computer = new Computer();
    computer.write('work/.codex/sessions/rollout-1.jsonl', rollout('/project'));
    computer.write('work/xdg/opencode/storage/session/p/ses_1.json', '{}');
    const { code, out } = await computer.run(['sessions', '--json'], { HOME: '', XDG_DATA_HOME: 'xdg' });
    expect(code).toBe(0);
    expect(jsonLines(out).filter(({ path: file }) => !path.isAbsolute(String(file)))).toEqual([]);
    expect(out).not.toContain(computer.home);
  });

  test('lists those that fit a filter, and says which filter none fits', async () => {
    const computer = new Computer();
    computer.write('.codex/sessions/rollout-1.jsonl', rollout('/repo/shop'));
    computer.write('.claude/projects/-work-demo/one.jsonl', claudeCodeSample.texts[0] ?? '');
    const agents = async (...args: string[]): Promise<unknown[]> =>
      jsonLines((await computer.run(['sessions', '--json', ...args])).out).map(({ agent }) => agent);
    expect(await agents('--agent', 'claude')).toEqual(['Claude Code']);
    expect(await agents('--project', '/repo/shop', '--since', '2026-01-01')).toEqual(['Codex']);
    expect(await agents('--until', '2001-01-01')).toEqual([]);
    expect(await agents('--agent', 'codex', '--message', 'please RENAME')).toEqual(['Codex']);
    expect(await agents('--message', 'rename nosuch')).toEqual([]);
    const none = await computer.run(['sessions', '--agent', 'pi', '--project', 'a shop']);
    expect([none.code, none.out]).toEqual([
      0,
      "None of the 2 sessions on this computer fits --project 'a shop' --agent pi.\n",
    ]);
    for (const command of ['bill', 'compare']) {
      const { code, err } = await computer.run([command, '--agent', 'gemini']);
      expect([command, code]).toEqual([command, 1]);
      expect(err).toContain(
        'Expected sessions that fit --agent gemini, but none of the 2 sessions on this computer does.',
      );
    }
    for (const command of ['sessions', 'bill']) {
      const { code, err } = await computer.run([command, '--agent', 'nosuch']);
      expect([command, code]).toEqual([command, 2]);
      expect(err).toMatch(/Expected --agent to name one of .*Claude Code.*Codex.*, got "nosuch"\./);
    }
    const wrong = await computer.run(['bill', '--since', '2026-02-30']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('Expected a day such as 2026-11-01.');
    const both = await computer.run(['bill', computer.home, '--agent', 'codex']);
    expect(both.code).toBe(2);
    expect(both.err).toContain('Expected names of sessions or --agent codex, got both');
    const removing = await computer.run(['sessions', '--copies', '--remove', '--agent', 'codex']);
    expect(removing.code).toBe(2);
    expect(removing.err).toContain('without a filter');
  });

  test('says what to type next as it works there: by its name where that is this command, else by its file', async () => {
    const computer = new Computer();
    computer.write('.codex/sessions/rollout-1.jsonl', rollout('/project'));
    const next = async (environment: Readonly<Record<string, string>> = {}) =>
      /^next: (.*) inspect /m.exec((await computer.run(['sessions'], environment)).err)?.[1];
    expect(await next()).toBe('density');
    const nodeFolder = path.dirname(process.execPath);
    const byFile = `node ${COMMAND}`;
    expect(await next({ PATH: nodeFolder })).toBe(byFile);
    expect(await next({ PATH: '' })).toBe(`${process.execPath} ${COMMAND}`);
    // Another program with this name, and a folder that only npm puts on the PATH.
    chmodSync(computer.write('bin/density', '#!/bin/sh\n'), 0o755);
    expect(await next({ PATH: [path.join(computer.home, 'bin'), COMMAND_FOLDER, nodeFolder].join(':') })).toBe(byFile);
    const npmFolder = path.join(computer.home, 'project/node_modules/.bin');
    mkdirSync(npmFolder, { recursive: true });
    symlinkSync(COMMAND, path.join(npmFolder, 'density'));
    expect(await next({ PATH: `${npmFolder}:${nodeFolder}`, npm_execpath: '/npm' })).toBe(byFile);
  });

  test('says where it searched if there is none', async () => {
    const { code, out } = await new Computer().run(['sessions']);
    expect(code).toBe(0);
    expect(out).toMatch(/^No session found .* Claude Code, Codex, Gemini CLI, LLxprt/);
  });
});
