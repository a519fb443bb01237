/** What a tool answered: its result, or why it refused. */
export type Answer =
  | { readonly kind: 'done'; readonly result: string }
  | { readonly kind: 'refused'; readonly error: string };

const done = (result: string): Answer => ({ kind: 'done', result });
const refused = (error: string): Answer => ({ kind: 'refused', error });
const MATCHES_AT_MOST = 60;

const numbered = (lines: readonly string[], firstLine: number): string =>
  lines.map((line, index) => `${String(firstLine + index).padStart(6)}\t${line}`).join('\n');

/** The files of the invented project in memory, and the tools of an agent over them. Paths are absolute. */
export class Workspace {
  readonly root: string;
  readonly #files: Map<string, string>;

  constructor(root: string, files: ReadonlyMap<string, string>) {
    this.root = root;
    this.#files = new Map([...files].map(([name, text]) => [`${root}/${name}`, text]));
  }

  /** The text of a file, empty when there is none. */
  text(path: string): string {
    return this.#files.get(path) ?? '';
  }

  read(path: string, range?: { readonly offset: number; readonly limit: number }): Answer {
    const text = this.#files.get(path);
    if (text === undefined) return refused(`File not found: ${path}`);
    const lines = text.trimEnd().split('\n');
    if (range === undefined) return done(numbered(lines, 1));
    return done(numbered(lines.slice(range.offset, range.offset + range.limit), range.offset + 1));
  }

  readMany(paths: readonly string[]): Answer {
    const parts = paths.map((path) => `--- ${path} ---\n\n${this.text(path)}`);
    return done(`${parts.join('\n\n')}\n--- End of content ---`);
  }

  write(path: string, text: string): Answer {
    const verb = this.#files.has(path) ? 'overwrote' : 'created and wrote to new';
    this.#files.set(path, text);
    return done(`Successfully ${verb} file: ${path} (${text.split('\n').length - 1} lines).`);
  }

  replace(path: string, before: string, after: string): Answer {
    const text = this.text(path);
    const found = text.split(before).length - 1;
    if (found === 0) return refused(`Failed to edit, could not find the string to replace in ${path}. No edits made.`);
    if (found > 1)
      return refused(`Failed to edit, expected 1 occurrence but found ${found} in ${path}. No edits made.`);
    this.#files.set(
      path,
      text.replace(before, () => after),
    );
    const line = text.slice(0, text.indexOf(before)).split('\n').length;
    const context = this.text(path)
      .split('\n')
      .slice(Math.max(0, line - 4), line + after.split('\n').length + 3);
    return done(`Successfully modified file: ${path} (1 replacement).\n${numbered(context, Math.max(1, line - 3))}`);
  }

  search(pattern: string, folder = this.root): Answer {
    const expression = new RegExp(pattern);
    const found = [...this.#files].flatMap(([path, text]) =>
      path.startsWith(`${folder}/`)
        ? text
            .split('\n')
            .flatMap((line, index) => (expression.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []))
        : [],
    );
    if (found.length === 0) return done(`No matches found for pattern "${pattern}".`);
    const rest = found.length - MATCHES_AT_MOST;
    const more = rest > 0 ? `\n(${rest} more matches are not shown)` : '';
    return done(
      `Found ${found.length} matches for "${pattern}":\n${found.slice(0, MATCHES_AT_MOST).join('\n')}${more}`,
    );
  }

  list(folder = this.root): Answer {
    const inside = [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
    return done(`Directory listing for ${folder}:\n${inside.map((path) => path.slice(folder.length + 1)).join('\n')}`);
  }
}
