import { type Random, seededRandom } from '../../bench/random.ts';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { codex } from '../../src/content/vocabularies/codex.ts';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../src/content/vocabularies/vocabulary.ts';
import type { ComparedSession } from '../../src/lab/comparison.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { ai, call, human, response, tool } from '../strategies/conversation.ts';

/** A call before its result. */
interface Step {
  readonly name: string;
  readonly parameters: unknown;
  readonly result: string;
}

interface SourceFile {
  readonly path: string;
  lines: string[];
}

/** The tools of an agent. */
interface Agent {
  readonly vocabulary: ToolVocabulary;
  /** The calls that read several files: at once, or one after the other. */
  readonly read: (files: readonly SourceFile[], random: Random) => Step[];
  readonly edit: (file: SourceFile, before: readonly string[], after: readonly string[]) => Step;
  readonly run: (command: string, result: string) => Step;
  readonly search: (pattern: string, result: string) => Step;
  /** How many lines the files have that are read together: at least, and at most so many more. */
  readonly lines?: { readonly least: number; readonly more: number };
}

const LARGE_FILES = { least: 150, more: 450 };

const textOf = ({ lines }: SourceFile): string => lines.join('\n');
const numbered = ({ lines }: SourceFile): string => lines.map((line, at) => `${at + 1}\t${line}`).join('\n');

function patch({ path }: SourceFile, before: readonly string[], after: readonly string[]): string {
  const changes = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  return ['*** Begin Patch', `*** Update File: ${path}`, '@@', ...changes, '*** End Patch'].join('\n');
}

const shellOf =
  (name: string, key: string) =>
  (command: string, result: string): Step => ({
    name,
    parameters: { [key]: command },
    result,
  });
const command = shellOf('shell_command', 'command');

const CLAUDE_CODE: Agent = {
  vocabulary: claudeCode,
  read: (files) =>
    files.map((file) => ({ name: 'Read', parameters: { file_path: `/repo/${file.path}` }, result: numbered(file) })),
  edit: (file, before, after) => ({
    name: 'Edit',
    parameters: { file_path: `/repo/${file.path}`, old_string: before.join('\n'), new_string: after.join('\n') },
    result: 'The file has been updated.',
  }),
  run: shellOf('Bash', 'command'),
  search: (pattern, result) => ({ name: 'Grep', parameters: { pattern }, result }),
};

const GIT_HEADER = ({ path }: SourceFile): string =>
  `diff --git a/${path} b/${path}\nindex 1f2e3d4..5a6b7c8 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,0 +1,9 @@\n`;
const signed = ({ lines }: SourceFile): string => lines.map((line) => `+${line}`).join('\n');

/** Shows files by commands that no rule takes for a read, in a shell whose folder is not known. */
const COMMANDS: Agent = {
  ...CLAUDE_CODE,
  lines: { least: 20, more: 80 },
  read: (files, random) => {
    const shown = (file: SourceFile): [string, string] => {
      const { path, lines } = file;
      return random.pick<[string, string]>([
        [`git show HEAD:${path}`, textOf(file)],
        [`git diff ${path}`, GIT_HEADER(file) + signed(file)],
        [`git show HEAD~1 -- ${path}`, `commit 0a1b2c3\n\n    Change it\n\n${GIT_HEADER(file)}${signed(file)}`],
        [`rg -n -C ${lines.length} 'Of' ${path}`, lines.map((line, at) => `${at + 1}:${line}`).join('\n')],
        [`awk 'NR>=1 && NR<=${lines.length}' ${path}`, textOf(file)],
        [`awk 'NR>=1 && NR<=${lines.length} {print NR": "$0}' ${path}`, numbered(file)],
        [`python3 - <<'EOF'\nlines = open('${path}').read()\nprint(lines)\nEOF`, textOf(file)],
        [`sed -n '1,${lines.length}p' ${path}`, textOf(file)],
      ]);
    };
    const parts = files.map(shown);
    if (random.integer(3) > 0) return parts.map(([command, result]) => CLAUDE_CODE.run(command, result));
    const command = parts.map(([one]) => (one.endsWith('EOF') ? `${one}\n` : `${one}; `)).join('');
    return [CLAUDE_CODE.run(`${command}echo done`, [...parts.map(([, result]) => result), 'done'].join('\n'))];
  },
};

const GEMINI: Agent = {
  vocabulary: llxprt,
  read: (files) => [
    {
      name: 'read_many_files',
      parameters: { paths: files.map(({ path }) => path) },
      result: files.map((file) => `--- ${file.path} ---\n\n${textOf(file)}\n`).join('\n'),
    },
  ],
  edit: (file, before, after) => ({
    name: 'replace',
    parameters: { file_path: file.path, old_string: before.join('\n'), new_string: after.join('\n') },
    result: 'Successfully modified file.',
  }),
  run: shellOf('run_shell_command', 'command'),
  search: (pattern, result) => ({ name: 'search_file_content', parameters: { pattern }, result }),
};

/** Codex on Windows: its shell is PowerShell. Some scripts show a file in ways that are not understood. */
const POWERSHELL: Agent = {
  vocabulary: codex,
  read: (files, random) => {
    const windows = (file: SourceFile): string => file.path.replaceAll('/', '\\');
    const one = (file: SourceFile): string =>
      random.pick([
        `Get-Content ${file.path}`,
        `Get-Content -Raw -LiteralPath '${windows(file)}'`,
        `gc ${windows(file)} | Select-Object -First ${file.lines.length}`,
        `type ${windows(file)}`,
        `Set-Location D:\\repo; Get-Content ${windows(file)}; git status --short`,
        `$lines = Get-Content ${windows(file)}; $lines[0..${file.lines.length}]`,
        `$i = 1; Get-Content ${file.path} | ForEach-Object { "{0,4} {1}" -f $i++, $_ }`,
      ]);
    const paths = files.map((file) => `'${windows(file)}'`).join(', ');
    const together = random.pick([
      files.map((file) => `Get-Content ${file.path}`).join('; '),
      `Get-Content ${paths}`,
      `foreach ($file in ${paths}) { Get-Content $file }`,
    ]);
    if (random.integer(3) > 0) return files.map((file) => command(one(file), textOf(file)));
    return [command(together, files.map(textOf).join('\n'))];
  },
  edit: (file, before, after) => ({
    name: 'apply_patch',
    parameters: { input: patch(file, before, after) },
    result: 'Success. Updated the following files.',
  }),
  run: command,
  search: (pattern, result) => command(`Select-String -Path src\\*.ts -Pattern ${pattern}`, result),
};

/** Codex with its tool that runs a script of calls. */
const SCRIPT: Agent = {
  ...POWERSHELL,
  read: (files) =>
    files.map((file) => ({
      name: 'exec',
      parameters: { input: `const r = await tools.exec_command({"cmd":"cat ${file.path}"});\ntext(r.output);\n` },
      result: textOf(file),
    })),
  edit: (file, before, after) => ({
    name: 'exec',
    parameters: {
      input: `const patch = ${JSON.stringify(patch(file, before, after))};\ntext(await tools.apply_patch(patch));\n`,
    },
    result: 'Success. Updated the following files.',
  }),
};

export const AGENTS: Readonly<Record<string, Agent>> = {
  'claude-code': CLAUDE_CODE,
  commands: COMMANDS,
  gemini: GEMINI,
  powershell: POWERSHELL,
  script: SCRIPT,
};

const WORDS =
  'berth boat harbour member invoice tide crane buoy pilot cargo anchor ledger signal customs weather'.split(' ');
const MODEL = 'gpt-4.1';

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

function sourceLine(random: Random, at: number): string {
  const one = random.pick(WORDS);
  const other = random.pick(WORDS);
  const third = random.pick(WORDS);
  return `  const ${one}${capital(other)}${at} = ${third}Of(${other}, ${random.integer(10_000)}); // ${random.pick(WORDS)}`;
}

function sourceFile(random: Random, number: number, lineCount: number): SourceFile {
  const name = `${random.pick(WORDS)}-${random.pick(WORDS)}-${number}`;
  const lines = Array.from({ length: lineCount }, (_, at) => sourceLine(random, number * 10_000 + at));
  return { path: `src/${name}.ts`, lines };
}

/** A session in which several large files are read together and edited one after the other. */
class EditedLater {
  readonly #agent: Agent;
  readonly #random: Random;
  readonly #entries: IContent[] = [];
  #nowMs = 1_780_000_000_000;
  #calls = 0;
  #files = 0;

  constructor(agent: Agent, random: Random) {
    this.#agent = agent;
    this.#random = random;
  }

  write(): IContent[] {
    const tasks = 1 + this.#random.integer(3);
    for (let task = 0; task < tasks; task++) {
      if (task > 0) this.#nowMs += 60_000 * this.#random.integer(30);
      this.#add(human('Now the next part.'));
      for (let calls = this.#random.integer(12); calls > 0; calls--) this.#detour();
      this.#task();
    }
    return this.#entries;
  }

  #task(): void {
    const random = this.#random;
    const { least, more } = this.#agent.lines ?? LARGE_FILES;
    const files = Array.from({ length: 3 + random.integer(5) }, () => this.#newFile(least + random.integer(more)));
    this.#readTogether(files);
    const edits = random.shuffle(files.flatMap((file) => Array.from({ length: 1 + random.integer(3) }, () => file)));
    const span = Math.max(edits.length, 5 + random.integer(56));
    const editsAt = new Set(random.shuffle([...Array(span).keys()]).slice(0, edits.length - 1));
    for (let call = 0; call < span; call++) {
      if (editsAt.has(call)) this.#edit(edits.pop()!);
      else this.#detour();
    }
    this.#edit(edits.pop()!);
  }

  /** All in one answer, or one per answer with an answer more between them at times. */
  #readTogether(files: readonly SourceFile[]): void {
    const steps = this.#agent.read(files, this.#random);
    if (this.#random.integer(2) === 0) {
      this.#exchange(steps);
      return;
    }
    for (const step of steps) {
      if (this.#random.integer(4) === 0) this.#exchange([this.#agent.search('Of', this.#listing(5))]);
      this.#exchange([step]);
    }
  }

  #edit(file: SourceFile): void {
    const random = this.#random;
    const from = random.integer(file.lines.length - 6);
    const before = file.lines.slice(from, from + 1 + random.integer(5));
    const after = before.map((line) => line.replace(/\d+\)/, `${random.integer(10_000)})`));
    this.#exchange([this.#agent.edit(file, before, after)]);
    file.lines = file.lines.toSpliced(from, before.length, ...after);
  }

  #detour(): void {
    const { run, search, read } = this.#agent;
    const random = this.#random;
    const kind = random.integer(10);
    if (kind < 2) this.#exchange(read([this.#newFile(30 + random.integer(300))], random));
    else if (kind < 5) this.#exchange([search(random.pick(WORDS), this.#listing(5 + random.integer(60)))]);
    else if (kind < 9) this.#exchange([run('npm test', this.#listing(10 + random.integer(100)))]);
    else this.#add(ai('I go on with the next step.'));
  }

  #newFile = (lines: number): SourceFile => sourceFile(this.#random, this.#files++, lines);

  #listing(lines: number): string {
    return Array.from({ length: lines }, () => `src/${this.#random.pick(WORDS)}.ts: ${this.#random.hex(40)}`).join(
      '\n',
    );
  }

  #exchange(steps: readonly Step[]): void {
    const ids = steps.map(() => `call_${this.#calls++}`);
    this.#add(ai(...steps.map(({ name, parameters }, at): ContentBlock => call(ids[at]!, name, parameters))));
    this.#add(tool(...steps.map(({ name, result }, at): ContentBlock => response(ids[at]!, name, { result }))));
  }

  #add(content: IContent): void {
    this.#nowMs += 2000 + this.#random.integer(20_000);
    if (this.#random.integer(100) === 0) this.#nowMs += 600_000;
    this.#entries.push({ ...content, metadata: { timestamp: this.#nowMs, id: `entry-${this.#entries.length}` } });
  }
}

/** The session of a seed: equal seeds give equal sessions. */
export function editedLater(agent: Agent, seed: number): ComparedSession {
  const events = new EditedLater(agent, seededRandom(seed))
    .write()
    .map((content) => ({ kind: 'add' as const, content }));
  return {
    session: {
      format: 'high-density',
      model: MODEL,
      workspaceRoot: '/repo',
      systemText: 'You help.',
      events,
      skipped: [],
    },
    vocabulary: agent.vocabulary,
    model: MODEL,
    countBlock: blockCounter(MODEL),
  };
}
