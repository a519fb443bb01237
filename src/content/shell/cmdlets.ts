import type { PowerShellCommand, PowerShellWord } from './parse-powershell.ts';

/** What a cmdlet does with the files that it names. */
interface Cmdlet {
  readonly does: 'read' | 'write' | 'move' | 'print' | 'remove' | 'relocate' | 'copy' | 'rename';
  /** Parameters that name files; the first of them is also the first argument. */
  readonly files: readonly string[];
  /** The parameter that names where the files come to; it is also the second argument. */
  readonly target?: string;
  /** Other parameters with a value, and switches. */
  readonly values: readonly string[];
  readonly switches: readonly string[];
  /** Arguments beyond the file. */
  readonly arguments?: number;
}

const DEFAULT_VALUES = ['erroraction', 'encoding'];
const READ: Cmdlet = {
  does: 'read',
  files: ['path', 'literalpath'],
  values: [...DEFAULT_VALUES, 'totalcount', 'head', 'first', 'tail', 'last', 'readcount', 'delimiter'],
  switches: ['raw', 'force'],
};
const WRITE: Cmdlet = {
  does: 'write',
  files: ['path', 'literalpath'],
  values: [...DEFAULT_VALUES, 'value'],
  switches: ['nonewline', 'force', 'passthru'],
  arguments: 1,
};
const OUT_FILE: Cmdlet = {
  does: 'write',
  files: ['filepath', 'literalpath'],
  values: [...DEFAULT_VALUES, 'inputobject', 'width'],
  switches: ['append', 'force', 'nonewline'],
  arguments: 1,
};
const MOVE: Cmdlet = { does: 'move', files: ['path', 'literalpath'], values: DEFAULT_VALUES, switches: [] };
const REMOVE: Cmdlet = {
  does: 'remove',
  files: ['path', 'literalpath'],
  values: ['erroraction'],
  switches: ['force', 'recurse'],
};
const COPY: Cmdlet = { ...REMOVE, does: 'copy', target: 'destination', switches: ['force', 'recurse', 'passthru'] };
const RELOCATE: Cmdlet = { ...COPY, does: 'relocate', switches: ['force', 'passthru'] };
const RENAME: Cmdlet = { ...RELOCATE, does: 'rename', target: 'newname' };
const PRINT: Cmdlet = { does: 'print', files: [], values: ['first', 'last', 'skip', 'width'], switches: [] };
const TEXT: Cmdlet = {
  does: 'print',
  files: [],
  values: ['object', 'inputobject'],
  switches: ['nonewline'],
  arguments: 99,
};

/** By name and alias. Source: the reference of Microsoft.PowerShell.Management and Microsoft.PowerShell.Utility. */
const CMDLETS: ReadonlyMap<string, Cmdlet> = new Map([
  ...['get-content', 'gc', 'cat', 'type'].map((name) => [name, READ] as const),
  ...['set-content', 'add-content', 'ac'].map((name) => [name, WRITE] as const),
  ['out-file', OUT_FILE],
  ...['tee-object', 'tee'].map((name) => [name, { ...OUT_FILE, arguments: 0 }] as const),
  ...['remove-item', 'ri', 'rm', 'del', 'erase', 'rd', 'rmdir'].map((name) => [name, REMOVE] as const),
  ...['copy-item', 'cpi', 'cp', 'copy'].map((name) => [name, COPY] as const),
  ...['move-item', 'mi', 'mv', 'move'].map((name) => [name, RELOCATE] as const),
  ...['rename-item', 'rni', 'ren'].map((name) => [name, RENAME] as const),
  ...['set-location', 'cd', 'sl', 'chdir'].map((name) => [name, MOVE] as const),
  ...['select-object', 'select', 'out-string', 'out-host'].map((name) => [name, PRINT] as const),
  ...['write-output', 'write-host', 'echo'].map((name) => [name, TEXT] as const),
]);

/** What a command does with its files; `undefined` for a program or cmdlet, or parameters, that are not known. */
export interface CmdletUse {
  readonly does: Cmdlet['does'];
  readonly files: readonly PowerShellWord[];
  /** The paths of the results. */
  readonly target?: PowerShellWord;
}

/** Reads the parameters of a command as its cmdlet does. */
export function cmdletUse({ words: [name, ...words] }: PowerShellCommand): CmdletUse | undefined {
  const cmdlet = name?.literal ? CMDLETS.get(name.text.toLowerCase()) : undefined;
  if (cmdlet === undefined) return undefined;
  const files: PowerShellWord[] = [];
  let target: PowerShellWord | undefined;
  let free = 0;
  /** Whether the words that follow with commas are files. */
  let isFile = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word.isListed) {
      if (isFile) files.push(word);
      continue;
    }
    isFile = false;
    if (!word.isQuoted && /^-[A-Za-z]/.test(word.text)) {
      const parameter = parameterOf(word.text, cmdlet);
      if (parameter === undefined) return undefined;
      if (cmdlet.switches.includes(parameter)) continue;
      const value = words[++at];
      if (value === undefined) return undefined;
      isFile = cmdlet.files.includes(parameter);
      if (isFile) files.push(value);
      if (parameter === cmdlet.target) target = value;
    } else if (files.length === 0 && cmdlet.files.length > 0) {
      isFile = true;
      files.push(word);
    } else if (cmdlet.target !== undefined && target === undefined) target = word;
    else if (++free > (cmdlet.arguments ?? 0)) return undefined;
  }
  const lacksFile = files.length === 0 && cmdlet.files.length > 0;
  if (lacksFile || (cmdlet.target !== undefined && target === undefined)) return undefined;
  return { does: cmdlet.does, files, ...(target && { target }) };
}

/** The only parameter that begins so; `undefined` if there is none or several. */
function parameterOf(word: string, { files, target, values, switches }: Cmdlet): string | undefined {
  const given = word.slice(1).toLowerCase();
  const all = [...files, ...(target === undefined ? [] : [target]), ...values, ...switches];
  if (all.includes(given)) return given;
  const begun = all.filter((parameter) => parameter.startsWith(given));
  return begun.length === 1 ? begun[0] : undefined;
}
