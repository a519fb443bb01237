import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { changedPlugin } from './changed-plugin.ts';
import { fiveVersions } from './scripts.ts';
import { ROOT, Session } from './session.ts';

type Check = (what: string, holds: boolean) => void;

/** Run by the agent in an environment without processes and sessions, which the test answers for. */
const TEST = `import { describe, expect, test } from 'claude-code/testing';

const messages = [
  { role: 'user', text: 'Read it.', toolUses: [] },
  { role: 'assistant', text: '', toolUses: [{ tool_use_id: 't1', tool: 'Read', input: {}, text: 'long' }] },
  { role: 'user', text: '', toolUses: [], toolResults: [{ tool_use_id: 't1', tool: 'Read', text: 'long', isError: false }] },
  { role: 'assistant', text: 'Done.', toolUses: [] },
];
const answer = { texts: { t1: 'short' }, tokensBefore: 100, tokensAfter: 10, why: [] };

const compacted = async ($, on, run) => {
  for (const name of ['id', 'cwd', 'model']) on('session.' + name, async () => ({ value: name }));
  on('session.usage', async () => ({ value: { context: { window: 1000, tokens: 100 } } }));
  on('ui.log', async () => ({ value: undefined }));
  on('process.run', async () => ({ value: run() }));
  on('session.compact', async () => ({ messages: [messages[0]], tokensBefore: 2, tokensAfter: 1 }));
  return (await $.session.compact({ trigger: 'manual', messages })).messages;
};

describe('compaction', () => {
  test('is made by rules', async ($, on) => {
    const made = await compacted($, on, () => ({ exitCode: 0, stdout: JSON.stringify(answer), stderr: '' }));
    expect(made.length).toBe(4);
    expect(JSON.stringify(made)).toContain('short');
  });
  test('is left to the agent if density fails', async ($, on) => {
    expect((await compacted($, on, () => ({ exitCode: 1, stdout: '', stderr: '' }))).length).toBe(1);
  });
});
`;

/** The files of a home folder, each with a hash. */
function filesOf(home: string): ReadonlyMap<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(home, file), createHash('sha256').update(readFileSync(file)).digest('hex')];
    }),
  );
}

/** What the agent writes by itself, and for any plugin; the work that it did; and the archive, which is the command's. */
const MAY_DIFFER =
  /^(?:work\/|\.claude\.json|\.claude\/(?:projects|plugins|settings\.json|telemetry|backups|\.?session|statsig|\.last-cleanup|todos|shell-snapshots)|\.cache\/|\.local\/share\/high-density\/)/;

/** The agent's own checks of the plugin, and what is left in its home after the plugin was installed, used and removed. */
export async function provePluginCommands(program: string, check: Check): Promise<void> {
  const session = new Session(program, { steps: (folder) => [{ text: 'Hello.' }, ...fiveVersions()(folder)] });
  await session.say(['Hello.']);
  const run = async (...args: readonly string[]): Promise<string> => {
    const options = { env: { ...session.environment }, cwd: path.join(session.home, 'work'), timeout: 60_000 };
    const started = promisify(execFile)(program, ['plugin', ...args], options);
    started.child.stdin?.end();
    const said = await started.catch((error: { stdout?: string; stderr?: string }) => error);
    return `${said.stdout ?? ''}${said.stderr ?? ''}`;
  };
  const plugin = changedPlugin((folder) => writeFileSync(path.join(folder, 'hooks/compaction.test.ts'), TEST));
  check('claude plugin validate', (await run('validate', plugin)).includes('Validation passed'));
  const tested = await run('test', plugin);
  check(
    `claude plugin test: ${/\d+ pass/.exec(tested)?.[0] ?? tested}`,
    tested.includes('2 pass') && !/[1-9]\d* fail/.test(tested),
  );
  rmSync(plugin, { recursive: true });
  const before = filesOf(session.home);
  await run('marketplace', 'add', ROOT);
  await run('install', 'density@high-density');
  await session.say(['Read it.', '/compact', 'Go on.']);
  check('installed by the agent: rules compact', session.summaries === 0);
  await run('uninstall', 'density@high-density');
  await run('marketplace', 'remove', 'high-density');
  const after = filesOf(session.home);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  const left = changed.filter((name) => !MAY_DIFFER.test(name));
  const settings = [...after.keys()]
    .filter((name) => /settings.*\.json$/.test(name))
    .map((name) => readFileSync(path.join(session.home, name), 'utf8'));
  check(
    `removed: ${changed.length} files of the agent's own and of the archive differ, no other${left.length > 0 ? `: ${left.join(', ')}` : ''}`,
    left.length === 0,
  );
  check('its settings do not name the plugin', !settings.join('').includes('density@'));
  session.close();
}
