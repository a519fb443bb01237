import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { foundSessions, sessionPlaces } from '../../../src/sessions/places/session-places.ts';

const TASKS = 'User/globalStorage/saoudrizwan.claude-dev/tasks';
const foldersOf = (agent: string, ...around: Parameters<typeof sessionPlaces>): string[] =>
  sessionPlaces(...around)
    .filter((place) => place.agent === agent)
    .map(({ folder }) => folder);

describe('the places of sessions', () => {
  test.each([
    ['linux', '/home/me', {}, `/home/me/.config/Code/${TASKS}`],
    ['linux', '/home/me', { XDG_CONFIG_HOME: '/conf' }, `/conf/Code/${TASKS}`],
    ['darwin', '/Users/me', {}, `/Users/me/Library/Application Support/Code/${TASKS}`],
    ['win32', 'C:/Users/me', {}, `C:/Users/me/AppData/Roaming/Code/${TASKS}`],
    ['win32', 'C:/Users/me', { APPDATA: 'D:/Roaming' }, `D:/Roaming/Code/${TASKS}`],
  ] as const)('of editors on %s below %s with %o', (platform, home, environment, folder) => {
    expect(foldersOf('Cline', environment, home, platform)).toContain(folder);
  });

  test('of agents are below the home on every system', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(foldersOf('Claude Code', {}, '/home/me', platform)[0]).toBe('/home/me/.claude/projects');
      expect(foldersOf('Codex', {}, '/home/me', platform)[0]).toBe('/home/me/.codex/sessions');
    }
  });

  test('of Claude Code are the usual two, or only where its variable says', () => {
    const claude = (environment: Record<string, string>): string[] =>
      foldersOf('Claude Code', environment, '/home/me', 'linux');
    expect(claude({})).toEqual(['/home/me/.claude/projects', '/home/me/.config/claude/projects']);
    expect(claude({ XDG_CONFIG_HOME: '/conf' })[1]).toBe('/conf/claude/projects');
    expect(claude({ CLAUDE_CONFIG_DIR: '/own' })).toEqual(['/own/projects']);
  });

  test('of Qwen Code and Kilo CLI are found', () => {
    const home = mkdtempSync(path.join(tmpdir(), 'places-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const chats = path.join(home, '.qwen/projects/one/chats');
    mkdirSync(chats, { recursive: true });
    writeFileSync(path.join(chats, 'a.jsonl'), '{}');
    const found = foundSessions(sessionPlaces({}, home, 'linux'));
    expect(found.map(({ agent }) => agent)).toEqual(['Qwen Code']);
    expect(foldersOf('Kilo CLI', {}, '/home/me', 'linux')).toEqual(['/home/me/.local/share/kilo']);
  });

  test('may contain broken links: they are no sessions', () => {
    const home = mkdtempSync(path.join(tmpdir(), 'places-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const project = path.join(home, '.claude', 'projects', 'one');
    mkdirSync(project, { recursive: true });
    writeFileSync(path.join(project, 'good.jsonl'), '{}');
    symlinkSync('circle.jsonl', path.join(project, 'circle.jsonl'));
    symlinkSync('missing.jsonl', path.join(project, 'gone.jsonl'));
    const found = foundSessions(sessionPlaces({}, home, 'linux'));
    expect(found.map((session) => path.basename(session.path))).toEqual(['good.jsonl']);
  });
});
