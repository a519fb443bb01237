import { patchedFiles } from '../files/patch.ts';
import { resolvePath } from '../files/workspace-path.ts';
import { parseShell } from './parse-shell.ts';
import { powershellAccess } from './powershell-access.ts';
import { readOperands } from './read-operands.ts';
import type { ShellCommand, ShellWord } from './shell-command.ts';
import { writtenOperands } from './written-operands.ts';

/** The absolute paths that a shell script certainly reads and writes; `readsOnly`: it does nothing but these reads. */
export interface ShellAccess {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** `writes`, and the files that programs such as `sed -i` change, in order. */
  readonly allWrites: readonly string[];
  readonly readsOnly: boolean;
}

interface Tally {
  readonly reads: Set<string>;
  readonly writes: Set<string>;
  readonly allWrites: Set<string>;
  readsOnly: boolean;
  /** Where relative paths start; `undefined` if unknown. */
  directory: string | undefined;
}

/** Programs that may change the directory. */
const MOVING = new Set(['cd', 'pushd', 'popd', 'eval', 'source', '.']);

/** PowerShell itself, and its options before the script that need no more. */
const POWERSHELL = /^(?:.*[\\/])?(?:pwsh|powershell)(?:\.exe)?$/i;
const POWERSHELL_OPTIONS = /^-(?:NoProfile|NoLogo|NonInteractive|nop)$/i;

/** Also that of a shell on Windows. */
const ABSOLUTE = /^(?:\/|[a-zA-Z]:[\\/])/;

/** Programs that print their arguments or nothing: they neither read nor change a file. */
const SILENT = new Set(['echo', 'printf', 'true', ':']);

/**
 * The files that scripts read and write, without guesses. Reads: `cat`, `sed -n`, `nl`, `head` and `tail` of literal
 * paths. Writes: redirections and `tee` to literal paths, and `apply_patch`; in `allWrites` also `writtenOperands`.
 * `directory` is absolute, or `undefined` if relative paths cannot be resolved.
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

/** True if the script may end here and still succeed: `exit` without a failure code, or `exec` of a program. */
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
  const reading = readOperands(command.words);
  if (MOVING.has(name.text)) changeDirectory(command, tally);
  else if (reading !== undefined) {
    for (const file of reading.files) read(file, tally);
    if (!reading.onlyReads) tally.readsOnly = false;
  } else if (name.text === 'tee') {
    for (const operand of operands) if (!operand.text.startsWith('-')) write(operand, command, tally);
    tally.readsOnly = false;
  } else if (/^apply_?patch$/.test(name.text)) applyPatch(command, tally, command.piped ? previous : undefined);
  else if (/^(?:ba|z|da)?sh$/.test(name.text)) runNested(command, operands, tally);
  else if (POWERSHELL.test(name.text)) runPowerShell(command, operands, tally);
  else if (!SILENT.has(name.text)) tally.readsOnly = false;
}

/** Only a plain `cd` that certainly ran makes the directory known. */
function changeDirectory({ words: [name, ...operands], conditional, piped }: ShellCommand, tally: Tally): void {
  const [target] = operands;
  const isPlain = name?.text === 'cd' && operands.length === 1 && target?.literal && target.text !== '-';
  tally.directory = isPlain && !conditional && !piped ? absolute(target, tally) : undefined;
  if (tally.directory === undefined) tally.readsOnly = false;
}

/** The patch is a here-document or a word of this command or of the `printer` that pipes it in. */
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

function runPowerShell({ conditional }: ShellCommand, operands: readonly ShellWord[], tally: Tally): void {
  const [option, script, ...more] = operands.filter(({ text }) => !POWERSHELL_OPTIONS.test(text));
  const isScript = /^-c(?:ommand)?$/i.test(option?.text ?? '') && script?.literal && more.length === 0;
  if (conditional || !isScript) {
    tally.readsOnly = false;
    return;
  }
  const { reads, writes, allWrites, readsOnly } = powershellAccess(script.text, tally.directory);
  for (const file of reads) tally.reads.add(file);
  for (const file of writes) tally.writes.add(file);
  for (const file of allWrites) tally.allWrites.add(file);
  if (!readsOnly) tally.readsOnly = false;
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

/** The path of a file that is certainly written; `undefined` if this is uncertain. */
function change(file: ShellWord, command: ShellCommand, tally: Tally): string | undefined {
  const path = absolute(file, tally);
  tally.readsOnly = false;
  if (path === undefined || command.conditional) return undefined;
  tally.allWrites.add(path);
  return path;
}

function absolute(file: ShellWord, tally: Tally): string | undefined {
  if (!file.literal || file.text === '') return undefined;
  if (ABSOLUTE.test(file.text)) return resolvePath('/', file.text);
  return tally.directory === undefined ? undefined : resolvePath(tally.directory, file.text);
}
