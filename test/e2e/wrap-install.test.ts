import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND } from './command.ts';
import { Computer } from './density.ts';
import { TestTerminal } from './test-terminal.ts';

const START_FILES = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' } as const;
type ShellName = keyof typeof START_FILES;
const SHELLS = Object.keys(START_FILES) as ShellName[];

const programOf = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(existsSync);

/** Programs that a start file or the function needs, without what else is on this computer's PATH. */
const NEEDED = ['mktemp', 'rm', 'sh', 'cat', 'env', 'uname', 'sed', 'id', 'tr', 'mkdir', 'dirname'];

/** A computer on whose PATH is an agent that notes each start and ends with 7, and `density` with this text. */
function withAgent(density?: string): {
  computer: Computer;
  starts: () => string[];
  environment: Record<string, string>;
} {
  const computer = new Computer();
  const log = path.join(computer.home, 'starts');
  const program = (name: string, text: string): void => chmodSync(computer.write(`bin/${name}`, text), 0o755);
  program('claude', `#!/bin/sh\nprintf '%s|' "$@" >> '${log}'\necho >> '${log}'\nexit 7\n`);
  if (density !== undefined) program('density', density);
  for (const name of NEEDED) {
    const found = programOf(name);
    if (found !== undefined) symlinkSync(found, path.join(computer.home, 'bin', name));
  }
  const PATH = path.join(computer.home, 'bin');
  return {
    computer,
    starts: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    environment: { PATH, HOME: computer.home, TERM: 'dumb' },
  };
}

const install = (computer: Computer, shell: ShellName, ...more: string[]) =>
  computer.run(['wrap', '--install', 'claude', '--shell', shell, ...more]);

/** What `density` on the PATH may be, and the exit code after it, if the agent started once. */
const DENSITIES: Readonly<Record<string, { readonly text?: string; readonly code?: number }>> = {
  'a working density': { text: `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n` },
  'no density': {},
  'a density that fails': { text: '#!/bin/sh\necho broken >&2\nexit 1\n' },
  'a density that says that all is well': { text: '#!/bin/sh\nexit 0\n' },
  'a density that cannot run': { text: '#!/nowhere/node\n' },
  'a density that is killed': { text: '#!/bin/sh\nkill -9 $$\n' },
  'a density that does not know the option': {
    text: `#!/bin/sh\nshift 3\nexec '${process.execPath}' '${COMMAND}' wrap --no-such-option "$@"\n`,
  },
  'a density that fails after the agent': { text: '#!/bin/sh\nrm "$3"\nshift 4\nclaude "$@"\nexit 3\n', code: 3 },
};

describe.each(SHELLS)('the function of density wrap --install in %s', (shell) => {
  const program = programOf(shell);
  if (program === undefined) {
    console.log(`${shell} is not installed: tests of its function are skipped.`);
    test.skip(`needs ${shell}`, () => {});
    return;
  }

  test.each(Object.entries(DENSITIES))('with %s starts the agent once', async (_, { text, code = 7 }) => {
    const { computer, starts, environment } = withAgent(text);
    expect((await install(computer, shell, '--yes')).code).toBe(0);
    const line = `claude 'two words' "it's" '*' '' -p --yes`;
    const { status, stderr } = spawnSync(program, ['-ic', line], {
      env: environment,
      cwd: computer.folder,
      encoding: 'utf8',
    });
    // What wraps the agent may add arguments of its own before.
    expect(starts(), stderr).toEqual([
      expect.stringMatching(/^(?:--settings\|[^|]+\|)?two words\|it's\|\*\|\|-p\|--yes\|$/),
    ]);
    expect(starts()[0]?.startsWith('--settings')).toBe(text === DENSITIES['a working density']?.text);
    expect(status, stderr).toBe(code);
  });

  test('starts the agent where no mark can be made, and not after Ctrl-C', async () => {
    const { computer, starts, environment } = withAgent('#!/bin/sh\nexit 130\n');
    await install(computer, shell, '--yes');
    const run = (more: object) =>
      spawnSync(program, ['-ic', 'claude'], { env: { ...environment, ...more }, cwd: computer.folder });
    expect(run({}).status).toBe(130);
    expect(starts()).toEqual([]);
    expect(run({ TMPDIR: '/nowhere' }).status).toBe(7);
    expect(starts()).toHaveLength(1);
  });

  test('is taken out byte for byte', async () => {
    const computer = new Computer();
    const file = computer.write(START_FILES[shell], 'echo "no end of line: \u00fc"');
    const before = readFileSync(file);
    await install(computer, shell, '--yes');
    expect(readFileSync(file).length).toBeGreaterThan(before.length);
    const { code } = await computer.run(['wrap', '--uninstall', 'claude', '--shell', shell]);
    expect(code).toBe(0);
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('density wrap --install', () => {
  test('shows the lines and writes nothing without --yes where nobody can be asked', async () => {
    const computer = new Computer();
    const { code, out, err } = await install(computer, 'bash');
    expect(code).toBe(2);
    expect(out).toContain('function claude {');
    expect(err).toContain('--yes');
    expect(existsSync(path.join(computer.home, '.bashrc'))).toBe(false);
  });

  test('takes the name of an agent that other commands print for its command', async () => {
    for (const [name, command] of [
      ['gemini-cli', 'gemini'],
      ['claude-code', 'claude'],
      ['qwen-code', 'qwen'],
      ['copilot-cli', 'copilot'],
      ['codex', 'codex'],
    ] as const) {
      const computer = new Computer();
      const { code, out } = await computer.run(['wrap', '--install', name, '--shell', 'bash', '--yes']);
      expect([name, code]).toEqual([name, 0]);
      expect(out).toContain(`function ${command} {`);
      const taken = await computer.run(['wrap', '--uninstall', name, '--shell', 'bash']);
      expect(taken.out).toContain(`In a new terminal \`${command}\` starts as before.`);
    }
  });

  test.skipIf(programOf('bash') === undefined)(
    'starts this command by its file where a new terminal does not find it by its name',
    async () => {
      for (const density of [undefined, '#!/bin/sh\necho 99.0.0\n']) {
        const { computer, starts, environment } = withAgent(density);
        symlinkSync(String(programOf('bash')), path.join(environment['PATH']!, 'bash'));
        // As npx starts it in a project that has it.
        const npmFolder = path.join(computer.home, 'project/node_modules/.bin');
        mkdirSync(npmFolder, { recursive: true });
        symlinkSync(COMMAND, path.join(npmFolder, 'density'));
        const PATH = `${npmFolder}:${environment['PATH']}`;
        const run = ['wrap', '--install', 'claude', '--shell', 'bash', '--yes'];
        const { code, out } = await computer.run(run, { ...environment, PATH, npm_execpath: '/npm' });
        expect([code, out]).toEqual([0, expect.stringContaining(`${process.execPath} ${COMMAND} wrap --start-mark`)]);
        const { status } = spawnSync('bash', ['-ic', 'claude -p'], { env: environment, cwd: computer.folder });
        expect([status, starts()]).toEqual([7, [expect.stringContaining('--settings|')]]);
      }
    },
  );

  test.skipIf(programOf('bash') === undefined)(
    'refuses where a new terminal does not come so far, and says how to see why',
    async () => {
      const computer = new Computer();
      const file = computer.write('.bashrc', 'exit 3\n');
      const { code, err } = await install(computer, 'bash', '--yes');
      expect([code, err]).toEqual([1, expect.stringContaining("Run `bash -i -c '")]);
      expect(readFileSync(file, 'utf8')).toBe('exit 3\n');
    },
  );

  test('is written to a start file that prints more errors than anyone reads', async () => {
    const computer = new Computer();
    const file = computer.write('.bashrc', `${'x'.repeat(3_000_000)}\n`);
    const { code } = await computer.run(['wrap', '--install', 'claude', '--shell', 'bash', '--yes']);
    expect([code, readFileSync(file, 'utf8').includes('# >>> density wrap claude >>>')]).toEqual([0, true]);
  });

  test('keeps the lines of every agent where several are installed at once', async () => {
    const computer = new Computer();
    const file = computer.write('.zshrc', 'export KEEP=1\n');
    const agents = ['claude', 'codex', 'gemini', 'opencode'];
    const runs = (action: string) =>
      Promise.all(agents.map((agent) => computer.runApart(['wrap', action, agent, '--shell', 'zsh', '--yes'])));
    expect((await runs('--install')).map(({ code }) => code)).toEqual(agents.map(() => 0));
    expect(readFileSync(file, 'utf8').match(/^# >>> density wrap \w+ >>>/gm)).toHaveLength(agents.length);
    await runs('--uninstall');
    expect(readFileSync(file, 'utf8')).toBe('export KEEP=1\n');
  });

  test('asks on a terminal, and writes after yes alone', async () => {
    const computer = new Computer();
    const file = path.join(computer.home, '.bashrc');
    for (const [answer, isWritten] of [
      ['n\r', false],
      ['y\r', true],
    ] as const) {
      const terminal = new TestTerminal(['wrap', '--install', 'claude', '--shell', 'bash'], {
        cwd: computer.folder,
        home: computer.home,
      });
      await terminal.shows('[y/N]');
      terminal.type(answer);
      expect(await terminal.exited).toBe(0);
      expect(existsSync(file)).toBe(isWritten);
    }
  });

  test('makes a missing file, and uninstalling deletes it', async () => {
    const computer = new Computer();
    const file = path.join(computer.home, '.zshrc');
    expect((await install(computer, 'zsh', '--yes')).code).toBe(0);
    expect((await install(computer, 'zsh', '--yes')).out).toContain('has these lines already');
    await computer.run(['wrap', '--uninstall', 'claude', '--shell', 'zsh']);
    expect(existsSync(file)).toBe(false);
    const again = await computer.run(['wrap', '--uninstall', 'claude', '--shell', 'zsh']);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing was changed.')]);
  });

  test('changes the file that a link names, keeps the link, the mode and line ends', async () => {
    const computer = new Computer();
    const file = computer.write('dotfiles/bashrc', 'export A=1\r\n');
    chmodSync(file, 0o600);
    const link = path.join(computer.home, '.bashrc');
    symlinkSync(file, link);
    await install(computer, 'bash', '--yes');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(realpathSync(link)).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^export A=1\r\n# >>> density wrap claude >>>\nfunction claude/);
    await computer.run(['wrap', '--uninstall', 'claude', '--shell', 'bash']);
    expect(readFileSync(file, 'utf8')).toBe('export A=1\r\n');
    expect(readdirSync(path.dirname(file))).toEqual(['bashrc']);
  });

  test.each<readonly [string, (computer: Computer, file: string) => void, string]>([
    ['is read-only', (computer) => chmodSync(computer.write('.bashrc', 'x\n'), 0o444), 'it is read-only'],
    ['is a folder', (_, file) => mkdirSync(file), 'it is no file'],
    ['links to nothing', (_, file) => symlinkSync('/nowhere/bashrc', file), 'it links to a file that is missing'],
    [
      'has the marks twice',
      (computer) =>
        computer.write('.bashrc', '# >>> density wrap claude >>>\n# <<< density wrap claude <<<\n'.repeat(2)),
      'got marks in line 1, 2, 3, 4',
    ],
  ])('refuses a start file that %s, and changes nothing', async (_, prepare, why) => {
    const computer = new Computer();
    const file = path.join(computer.home, '.bashrc');
    prepare(computer, file);
    const before = lstatSync(file);
    for (const action of ['--install', '--uninstall']) {
      const { code, err } = await computer.run(['wrap', action, 'claude', '--shell', 'bash', '--yes']);
      expect(code).toBe(1);
      expect(err).toContain(why);
    }
    expect(lstatSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs, size: before.size });
  });

  test('takes the shell from SHELL, and names those that it knows', async () => {
    const computer = new Computer();
    expect((await computer.run(['wrap', '--install', 'codex', '--yes'], { SHELL: '/bin/zsh' })).code).toBe(0);
    expect(readFileSync(path.join(computer.home, '.zshrc'), 'utf8')).toContain('function codex {');
    const other = await computer.run(['wrap', '--install', 'codex', '--yes'], { SHELL: '/bin/tcsh' });
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
    const agent = await computer.run(['wrap', '--install', 'nosuch', '--yes'], { SHELL: '/bin/zsh' });
    expect([agent.code, agent.err]).toEqual([2, expect.stringContaining('Expected one of claude')]);
  });
});
