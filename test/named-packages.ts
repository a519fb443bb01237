import { isBuiltin } from 'node:module';
import { parseAst } from 'rolldown/parseAst';

/** A package that code loads. */
export interface NamedPackage {
  readonly name: string;
  /** What is `tried` may be absent: it is loaded in a `try` that catches. */
  readonly kind: 'import' | 'import()' | 'require' | 'tried';
}

/** `require`, what bundlers make of it, and `createRequire(import.meta.url)`. */
const REQUIRES = /require$|^createRequire\(.*\)$|^require\.resolve$/;

/** Every package that a file of JavaScript loads, early, late or by `require`, wherever in the code it stands. */
export function namedPackages(code: string): NamedPackage[] {
  const found: NamedPackage[] = [];
  const add = (source: unknown, kind: NamedPackage['kind']): void => {
    const { value } = (source ?? {}) as { value?: unknown };
    if (typeof value !== 'string' || value.startsWith('.') || isBuiltin(value)) return;
    found.push({ name: /^(?:@[^/]+\/)?[^/]+/.exec(value)![0], kind });
  };
  const walk = (value: unknown, isTried: boolean): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, isTried);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Record<string, unknown> & { type?: string };
    if (/^(?:Import|Export(?:Named|All))Declaration$/.test(node.type ?? '')) add(node['source'], 'import');
    if (node.type === 'ImportExpression') add(node['source'], isTried ? 'tried' : 'import()');
    if (node.type === 'CallExpression') {
      const { start, end } = node['callee'] as { start: number; end: number };
      const [argument] = node['arguments'] as readonly unknown[];
      if (REQUIRES.test(code.slice(start, end))) add(argument, isTried ? 'tried' : 'require');
    }
    const isGuarded = node.type === 'TryStatement' && node['handler'] !== null;
    for (const key in node) {
      const child = node[key];
      if (typeof child === 'object') walk(child, isTried || (isGuarded && key === 'block'));
    }
  };
  walk(parseAst(code), false);
  return found;
}
