import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FENCED = /^```[a-z]*\n([\s\S]*?)^```/gm;
const COMMAND = /^(?:\$ )?(?:\.\/node_modules\/\.bin\/)?density ([^·].*)$/;

/** A command as a page prints it, without what starts it and what follows it. */
export interface DocumentedCommand {
  readonly line: string;
  /** True if the page shows that it fails. */
  readonly fails: boolean;
}

/** The commands in the fenced blocks of a page, in order; each once. */
export function documentedCommands(page: string): readonly DocumentedCommand[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const found = [...text.matchAll(FENCED)].flatMap(([, block = '']) => {
    const lines = block.split('\n');
    return lines.flatMap((shown, at) => {
      const [, line] = COMMAND.exec(shown) ?? [];
      // Not a row of a table that begins with our name.
      if (line === undefined || /\s{3,}[\d.]/.test(line) || line.includes('→')) return [];
      const fails = shown.startsWith('$ ') && lines[at + 1]!.startsWith('density: ');
      return { line: line.replace(/ +#.*| [>|] .*/, ''), fails };
    });
  });
  return found.filter(
    ({ line, fails }, at) => found.findIndex((one) => one.line === line && one.fails === fails) === at,
  );
}

/** The words of a command line. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
