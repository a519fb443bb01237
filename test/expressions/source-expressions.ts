import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** A regular expression of the source, or a place that builds one while it runs (`source` is absent then). */
export interface SourceExpression {
  readonly file: string;
  readonly line: number;
  readonly source?: string;
  readonly flags: string;
  /** The reason of a comment `Bounded text: …` at the expression: why it never sees a long text of others. */
  readonly bound?: string;
}

const BOUND = /^\s*(?:\/\/|\*|\/\*\*).*\bBounded text: (\S.*)/;

/** The reason beside the expression, or in the lines of comment right above it. */
function boundAt(lines: readonly string[], line: number): string | undefined {
  const own = lines[line - 1]!;
  const above = lines.slice(0, line - 1);
  const comment = above.slice(above.findLastIndex((one) => !/^\s*(?:\/\/|\*|\/\*\*)/.test(one)) + 1);
  const beside = own.includes(' // ') ? [own.slice(own.lastIndexOf(' // '))] : [];
  return [...comment, ...beside].map((one) => BOUND.exec(one)?.[1]).find((reason) => reason !== undefined);
}

/** Each regular expression that a file of code writes, and each place that builds one. */
export function expressionsIn(file: string, code: string): SourceExpression[] {
  const found: SourceExpression[] = [];
  const lines = code.split('\n');
  const add = (start: number, expression: { source?: string; flags: string }): void => {
    const line = code.slice(0, start).split('\n').length;
    const bound = boundAt(lines, line);
    found.push({ file, line, ...expression, ...(bound && { bound }) });
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Record<string, unknown> & { start: number };
    if (node['regex']) {
      const { pattern, flags } = node['regex'] as { pattern: string; flags: string };
      add(node.start, { source: pattern, flags });
    }
    if (node['type'] === 'NewExpression' || node['type'] === 'CallExpression') {
      if ((node['callee'] as { name?: string }).name === 'RegExp') add(node.start, { flags: '' });
    }
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return found;
}

/** Loads a file of the code that ships; traces of errors that are made meanwhile name its TypeScript. */
type Load = (file: string) => Promise<unknown>;

/** All expressions of the code that ships; those that are built when their file loads have the source that they then get. */
export async function sourceExpressions(load: Load): Promise<SourceExpression[]> {
  const files = ['src', 'workers', 'plugins'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|m?js)$/.test(name))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  );
  const found = files.flatMap((file) => expressionsIn(file, readFileSync(file, 'utf8')));
  const builders = new Set(found.filter(({ source }) => source === undefined).map(({ file }) => file));
  const built = await recordBuilt(builders, load);
  return found.flatMap((one) => {
    const sources = one.source === undefined ? built.get(`${one.file}:${one.line}`) : undefined;
    return sources?.map(({ source, flags }) => ({ ...one, source, flags })) ?? [one];
  });
}

/** What the files build with `new RegExp` while they load, by file and line. */
async function recordBuilt(files: ReadonlySet<string>, load: Load): Promise<Map<string, RegExp[]>> {
  const built = new Map<string, RegExp[]>();
  const original = RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given: ConstructorParameters<typeof RegExp>) {
      const expression = new target(...given);
      const [, file, line] = /\/((?:src|workers|plugins)\/[^\s:?]+)[^:]*:(\d+):\d+/.exec(new Error().stack ?? '') ?? [];
      built.set(`${file}:${line}`, [...(built.get(`${file}:${line}`) ?? []), expression]);
      return expression;
    },
  });
  try {
    for (const file of files) await load(file);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}
