import { append } from '../append.ts';
import { patchedFiles } from '../files/patch.ts';
import { resolvePath } from '../files/workspace-path.ts';
import { type CmdletUse, cmdletUse } from './cmdlets.ts';
import { type PowerShellCommand, parsePowerShell } from './parse-powershell.ts';
import type { ShellWord } from './shell-command.ts';

/**
 * The absolute paths that a PowerShell script certainly reads and writes; `allWrites` also has those that it removes, moves,
 * renames or copies to; `readsOnly`: it only reads.
 */
export interface PowerShellAccess {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly allWrites: readonly string[];
  readonly readsOnly: boolean;
}

/** A cmdlet where a statement begins. */
const CMDLET =
  /(?:^|[\n;|({]|\$\w+[ \t]*=)[ \t]*(?:(?:(?:get|set|add)-content|out-(?:file|string)|set-location|(?:remove|move|copy|rename)-item|get-childitem|select-(?:string|object)|(?:where|foreach)-object|gc)(?![\w-])|type[ \t]+[^\s;|]*[./\\][^\s;|])/i;
/** What shows files. */
const SHOWS_FILES = /(?:^|[\s;|({=])(?:get-content|gc|cat|type)[ \t]/i;

/** A call of PowerShell, or a here-document, which PowerShell has not: its lines may be a script that is written. */
const OTHER_SHELL = /^\s*(?:pwsh|powershell)|<</i;

/** True for a script of PowerShell that is given to a shell of unknown kind. */
export const isPowerShell = (script: string): boolean => CMDLET.test(script) && !OTHER_SHELL.test(script);

/** A file with a folder or a drive in its name. */
const NAMED_FILE = /(?<![\w$*?~.\\/-])(?:[A-Za-z]:)?[\w.-]*[\\/](?:[\w.-]+[\\/]){0,1000}[\w-]+\.\w+(?![\w$*?\\/(-])/g;

/** True if a PowerShell script shows files, but not only such as it names plainly. */
export const showsUnknownFiles = (script: string): boolean =>
  SHOWS_FILES.test(script) && !parsePowerShell(script).isWhole;

/** A drive without files (`Env:`), a path of another computer, or a path that starts at the drive's current folder. */
const NO_PATH = /^(?:[A-Za-z]{2,}:|[A-Za-z]:(?![\\/])|\\\\|\/\/)/;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/**
 * The files of a PowerShell script, without guesses: `Get-Content` of literal paths, and `Set-Content`, `Add-Content`,
 * `Out-File`, `Tee-Object`, redirections and `apply_patch` to them, and `Remove-Item`, `Move-Item`, `Copy-Item` and
 * `Rename-Item`, under their aliases too. `directory` is absolute, or `undefined` if relative paths cannot be resolved.
 * A script that shows files and is not understood reads the files that it names, among other things.
 */
export function powershellAccess(script: string, directory: string | undefined): PowerShellAccess {
  const { commands, isWhole } = parsePowerShell(script);
  const found = { reads: new Set<string>(), writes: new Set<string>(), allWrites: new Set<string>() };
  let readsOnly = isWhole;
  let place = directory;
  for (const [index, command] of commands.entries()) {
    const use = cmdletUse(command);
    const files = (use?.files ?? []).map((file) => absolute(file, place));
    const written = [...command.targets, ...patched(command, commands[index - 1])].map((file) => absolute(file, place));
    if (use?.does === 'write') append(written, files);
    if (use?.does === 'read') for (const file of files) addTo(found.reads, file);
    if (use?.does === 'move') place = command.conditional || command.piped ? undefined : files[0];
    else if (use === undefined && mayMove(command)) place = undefined;
    const changed = use === undefined ? [] : changedBy(use).map((file) => absolute(file, place));
    if (!command.conditional) {
      for (const file of written) addTo(found.writes, file);
      for (const file of [...written, ...changed]) addTo(found.allWrites, file);
    }
    const isUnderstood = use !== undefined || command.texts.length > 0;
    readsOnly &&=
      isUnderstood &&
      !command.conditional &&
      written.length === 0 &&
      !files.includes(undefined) &&
      !(use !== undefined && CHANGES.has(use.does));
  }
  if (!isWhole && SHOWS_FILES.test(script)) {
    for (const [text] of script.matchAll(NAMED_FILE)) addTo(found.reads, absolute({ text, literal: true }, place));
  }
  return { reads: [...found.reads], writes: [...found.writes], allWrites: [...found.allWrites], readsOnly };
}

const CHANGES: ReadonlySet<CmdletUse['does']> = new Set(['write', 'remove', 'relocate', 'copy', 'rename']);

/** Files and folders that are there no more or new. A new name is one in the same folder. */
function changedBy({ does, files, target }: CmdletUse): readonly ShellWord[] {
  const to = target === undefined ? [] : [target];
  if (does === 'copy') return to;
  if (does === 'remove' || does === 'relocate') return [...files, ...to];
  if (does !== 'rename') return [];
  const beside = ({ text }: ShellWord) =>
    `${text.slice(0, Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)}`;
  return [...files, ...to.map(({ text, literal }) => ({ text: `${beside(files[0]!)}${text}`, literal }))];
}

const addTo = (files: Set<string>, file: string | undefined): void => {
  if (file !== undefined) files.add(file);
};

const mayMove = ({ words: [name] }: PowerShellCommand): boolean =>
  /^(?:set-location|cd|sl|chdir|push-location|pushd|pop-location|popd|invoke-expression|iex|\.)$/i.test(
    name?.text ?? '',
  );

/** The files of a patch that is a word of `apply_patch` or piped into it. */
function patched(
  { words: [name, ...words], piped }: PowerShellCommand,
  before: PowerShellCommand | undefined,
): ShellWord[] {
  if (!/^apply_?patch$/.test(name?.text ?? '')) return [];
  const texts = words.flatMap(({ text, literal }) => (literal ? text : []));
  return [...texts, ...(piped ? (before?.texts ?? []) : [])]
    .flatMap(patchedFiles)
    .map((text) => ({ text, literal: !text.includes('$') }));
}

function absolute({ text, literal }: ShellWord, directory: string | undefined): string | undefined {
  if (!literal || text === '' || NO_PATH.test(text)) return undefined;
  if (ABSOLUTE.test(text)) return resolvePath('/', text);
  return directory === undefined ? undefined : resolvePath(directory, text.replaceAll('\\', '/'));
}
