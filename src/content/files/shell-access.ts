import { patchedFiles } from './patch.ts';
import { parseShell, type ShellCommand, type ShellWord } from './shell.ts';
import { resolvePath } from './workspace-path.ts';
import { writtenOperands } from './written-operands.ts';

/** The absolute paths that a shell script surely reads and writes; `readsOnly`: it does nothing beyond these reads. */
export interface ShellAccess {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** `writes` and, in their order, what programs change that change the files they are given. */
  readonly allWrites: readonly string[];
  readonly readsOnly: boolean;
}

interface Tally {
  readonly reads: Set<string>;
  readonly writes: Set<string>;
  readonly allWrites: Set<string>;
  readsOnly: boolean;
  /** Where relative paths start; `undefined` when that cannot be known. */
  directory: string | undefined;
}

/** The lines that `sed -n` prints: numbers, `$` or one regular expression, then `p`, `q` or `=`; blanks removed before. */
const PRINTING_SED =
  /^(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\+?\d+|\$|\/[^/]*\/))?)?[pq=](?:;(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\+?\d+|\$|\/[^/]*\/))?)?[pq=])*;?$/;

/** The reading programs: options whose value is the next word, and options that make them something else. */
const READERS: Readonly<Record<string, { takesValue?: RegExp; refused?: RegExp }>> = {
  cat: {},
  nl: { takesValue: /^-[bdfhilnsvw]$/ },
  head: { takesValue: /^(?:-[nc]|--lines|--bytes)$/ },
  tail: { takesValue: /^(?:-[nc]|--lines|--bytes)$/, refused: /^-(?:[fF]|-follow|-retry|-pid)/ },
};

/** Programs that change the directory, or may. */
const MOVING = new Set(['cd', 'pushd', 'popd', 'eval', 'source', '.']);

/** Programs that print their own arguments or nothing: they neither read nor change a file. */
const SILENT = new Set(['echo', 'printf', 'true', ':']);

/**
 * What a script touches, conservatively: `cat`, `sed -n`, `nl`, `head` and `tail` of concrete paths read; a
 * redirection or `tee` into a concrete file and `apply_patch` write; nothing else is either, but for `allWrites`.
 * `directory` is absolute, or `undefined` when relative paths cannot be resolved.
 */
export function shellAccess(
  scripts: readonly (string | readonly string[])[],
  directory: string | undefined,
): ShellAccess {
  const tally: Tally = { reads: new Set(), writes: new Set(), allWrites: new Set(), readsOnly: true, directory };
  for (const script of scripts) {
    if (typeof script === 'string') runScript(script, tally);
    else {
      const words = script.map((text): ShellWord => ({ text, literal: true }));
      runCommand({ words, redirections: [], conditional: false, piped: false }, tally);
    }
  }
  const { reads, writes, allWrites, readsOnly } = tally;
  return { reads: [...reads], writes: [...writes], allWrites: [...allWrites], readsOnly };
}

function runScript(script: string, tally: Tally): void {
  const commands = parseShell(script);
  if (commands === undefined) tally.readsOnly = false;
  else {
    let mayHaveEnded = false;
    for (const [index, command] of commands.entries()) {
      if (mayHaveEnded) tally.readsOnly = false;
      runCommand(mayHaveEnded ? { ...command, conditional: true } : command, tally, commands[index - 1]);
      mayHaveEnded ||= isEnd(command);
    }
  }
}

/** Whether nothing may run behind this although the script succeeds: `exit` without a failure, a program in place of the shell. */
function isEnd({ words: [name, ...operands] }: ShellCommand): boolean {
  if (name?.literal !== true) return false;
  if (name.text === 'exec') return operands.length > 0;
  const [code] = operands;
  return (name.text === 'exit' || name.text === 'return') && !(code?.literal && /^[1-9]\d*$/.test(code.text));
}

function runCommand(command: ShellCommand, tally: Tally, previous?: ShellCommand): void {
  for (const { direction, target } of command.redirections) {
    if (direction === 'out' && !/^\/dev\//.test(target.text)) write(target, command, tally);
    else if (direction === 'in') read(target, tally);
  }
  const [name, ...operands] = command.words;
  if (name === undefined) return;
  if (!name.literal) {
    tally.readsOnly = false;
    return;
  }
  for (const operand of writtenOperands(command.words)) change(operand, command, tally);
  if (MOVING.has(name.text)) changeDirectory(command, tally);
  else if (name.text === 'sed') runSed(operands, tally);
  else if (Object.hasOwn(READERS, name.text)) runReader(name.text, operands, tally);
  else if (name.text === 'tee') {
    for (const operand of operands) if (!operand.text.startsWith('-')) write(operand, command, tally);
    tally.readsOnly = false;
  } else if (/^apply_?patch$/.test(name.text)) applyPatch(command, tally, command.piped ? previous : undefined);
  else if (/^(?:ba|z|da)?sh$/.test(name.text)) runNested(command, operands, tally);
  else if (!SILENT.has(name.text)) tally.readsOnly = false;
}

/** Only a plain `cd` that surely ran says where relative paths start from there on. */
function changeDirectory({ words: [name, ...operands], conditional, piped }: ShellCommand, tally: Tally): void {
  const [target] = operands;
  const isPlain = name?.text === 'cd' && operands.length === 1 && target?.literal && target.text !== '-';
  tally.directory = isPlain && !conditional && !piped ? absolute(target, tally) : undefined;
  if (tally.directory === undefined) tally.readsOnly = false;
}

function runReader(program: string, operands: readonly ShellWord[], tally: Tally): void {
  const { takesValue, refused } = READERS[program]!;
  for (let at = 0; at < operands.length; at++) {
    const operand = operands[at]!;
    if (refused?.test(operand.text)) tally.readsOnly = false;
    if (takesValue?.test(operand.text)) at++;
    else if (!/^[-+]/.test(operand.text)) read(operand, tally);
  }
}

function runSed(operands: readonly ShellWord[], tally: Tally): void {
  const scripts: ShellWord[] = [];
  const files: ShellWord[] = [];
  let isQuiet = false;
  for (let at = 0; at < operands.length; at++) {
    const operand = operands[at]!;
    if (/^(?:-n|--quiet|--silent|-n[Er]|-[Er]n)$/.test(operand.text)) isQuiet = true;
    else if (operand.text === '-e' || operand.text === '-ne') {
      isQuiet ||= operand.text === '-ne';
      const script = operands[++at];
      if (script !== undefined) scripts.push(script);
    } else if (/^-(?:E|r|-regexp-extended)$/.test(operand.text)) continue;
    else if (operand.text.startsWith('-')) {
      tally.readsOnly = false;
      return;
    } else files.push(operand);
  }
  if (scripts.length === 0) scripts.push(...files.splice(0, 1));
  const onlyPrints = scripts.every(({ text, literal }) => literal && PRINTING_SED.test(text.replace(/\s+/g, '')));
  if (!isQuiet || scripts.length === 0 || !onlyPrints) {
    tally.readsOnly = false;
    return;
  }
  for (const file of files) read(file, tally);
}

/** The patch is a here-document or a word: of the program itself, or of the one that prints it into the pipe. */
function applyPatch(command: ShellCommand, tally: Tally, printer: ShellCommand | undefined): void {
  const texts = [command, ...(printer ? [printer] : [])].flatMap(({ hereDocument = '', words }) => [
    hereDocument,
    ...words.flatMap(({ text, literal }) => (literal ? text : [])),
  ]);
  for (const file of texts.flatMap(patchedFiles)) write({ text: file, literal: true }, command, tally);
  tally.readsOnly = false;
}

function runNested({ conditional }: ShellCommand, operands: readonly ShellWord[], tally: Tally): void {
  const [option, script] = operands;
  if (conditional || operands.length !== 2 || !/^-[a-z]*c$/.test(option!.text) || !script!.literal) {
    tally.readsOnly = false;
    return;
  }
  const outer = tally.directory;
  runScript(script!.text, tally);
  tally.directory = outer;
}

function read(file: ShellWord, tally: Tally): void {
  const path = absolute(file, tally);
  if (path === undefined) tally.readsOnly = false;
  else tally.reads.add(path);
}

function write(file: ShellWord, command: ShellCommand, tally: Tally): void {
  const path = change(file, command, tally);
  if (path !== undefined) tally.writes.add(path);
}

/** The path of a file that is surely written. */
function change(file: ShellWord, command: ShellCommand, tally: Tally): string | undefined {
  const path = absolute(file, tally);
  tally.readsOnly = false;
  if (path === undefined || command.conditional) return undefined;
  tally.allWrites.add(path);
  return path;
}

function absolute(file: ShellWord, tally: Tally): string | undefined {
  if (!file.literal || file.text === '') return undefined;
  if (file.text.startsWith('/')) return resolvePath('/', file.text);
  return tally.directory === undefined ? undefined : resolvePath(tally.directory, file.text);
}
