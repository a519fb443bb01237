import type { ContentBlock, IContent, Speaker, ToolCallBlock } from '../../content/content.ts';
import { ENTITIES, type Entity } from './harbour.ts';
import type { Random } from './random.ts';
import { pathsOf } from './source-files.ts';
import { type Failure, testOutput } from './test-run.ts';
import type { Answer, Workspace } from './workspace.ts';

/** One call of a turn and what the workspace answered. */
export interface Step {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
}

const MINUTE_MS = 60_000;

/** Where the invented agent works: its tools change the workspace, and every turn is written down. */
export class Desk {
  readonly workspace: Workspace;
  readonly random: Random;
  readonly entries: IContent[] = [];
  #now: number;

  constructor(workspace: Workspace, random: Random, startedAt: number) {
    this.workspace = workspace;
    this.random = random;
    this.#now = startedAt;
  }

  /** Absolute path of a file of the project. */
  path(name: string): string {
    return `${this.workspace.root}/${name}`;
  }

  human(text: string): void {
    this.#now += (2 + this.random.integer(9)) * MINUTE_MS;
    this.#record('human', [{ type: 'text', text }]);
  }

  /** A model call that ends in text. */
  say(text: string): void {
    this.#record('ai', [{ type: 'text', text }]);
  }

  /** A model call that ends in tool calls, and their answers in one entry. */
  turn(text: string, ...steps: readonly Step[]): void {
    const calls = steps.map(
      ({ tool, parameters }): ToolCallBlock => ({
        type: 'tool_call',
        id: `call_${this.random.hex(20)}`,
        name: tool,
        parameters,
      }),
    );
    this.#record('ai', [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls]);
    this.#record(
      'tool',
      calls.map(({ id, name }, index): ContentBlock => {
        const answer = (steps[index] as Step).answer;
        const response = { type: 'tool_response', callId: id, toolName: name } as const;
        return answer.kind === 'done'
          ? { ...response, result: answer.result }
          : { ...response, result: '', error: answer.error };
      }),
    );
  }

  read(name: string, range?: { readonly offset: number; readonly limit: number }): Step {
    const path = this.path(name);
    return {
      tool: 'read_file',
      parameters: { absolute_path: path, ...range },
      answer: this.workspace.read(path, range),
    };
  }

  readMany(...names: readonly string[]): Step {
    const paths = names.map((name) => this.path(name));
    return { tool: 'read_many_files', parameters: { paths }, answer: this.workspace.readMany(paths) };
  }

  replace(name: string, before: string, after: string): Step {
    const path = this.path(name);
    return {
      tool: 'replace',
      parameters: { file_path: path, old_string: before, new_string: after },
      answer: this.workspace.replace(path, before, after),
    };
  }

  write(name: string, text: string): Step {
    const path = this.path(name);
    return {
      tool: 'write_file',
      parameters: { file_path: path, content: text },
      answer: this.workspace.write(path, text),
    };
  }

  search(pattern: string, folder?: string): Step {
    const path = folder === undefined ? undefined : this.path(folder);
    return {
      tool: 'search_file_content',
      parameters: { pattern, ...(path !== undefined && { path }) },
      answer: this.workspace.search(pattern, path),
    };
  }

  list(folder: string): Step {
    const path = this.path(folder);
    return { tool: 'list_directory', parameters: { path }, answer: this.workspace.list(path) };
  }

  /** `npm test`, of one entity or of all. A run with failures leaves an error beside its output. */
  test(only: Entity | undefined, ...failures: readonly Failure[]): Step {
    const files = (only === undefined ? ENTITIES : [only]).map((entity) => ({
      name: pathsOf(entity).tests,
      tests: this.workspace.text(this.path(pathsOf(entity).tests)).split('  test(').length - 1,
    }));
    const output = testOutput({ files, failures }, this.random);
    const command = only === undefined ? 'npm test' : `npm test -- ${pathsOf(only).tests}`;
    return this.shell(command, `${output}\n\nExit Code: ${failures.length > 0 ? 1 : 0}`);
  }

  shell(command: string, output: string): Step {
    return { tool: 'run_shell_command', parameters: { command }, answer: { kind: 'done', result: output } };
  }

  /** A file as a person attaches it to a message with `@`. */
  inclusion(name: string): string {
    return `--- ${name} ---\n${this.workspace.text(this.path(name))}--- End of content ---`;
  }

  #record(speaker: Speaker, blocks: readonly ContentBlock[]): void {
    this.#now += 4000 + this.random.integer(20_000);
    const id = `example-${String(this.entries.length + 1).padStart(4, '0')}`;
    this.entries.push({ speaker, blocks, metadata: { id, timestamp: this.#now } });
  }
}
