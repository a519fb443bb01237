import { hasInOrder } from '../lines/in-order.ts';
import { parseShell } from './parse-shell.ts';
import type { ShellCommand } from './shell-command.ts';

/** A here-document: its delimiter, perhaps quoted. */
const HERE = /<<-?\s*\\?(['"]?)([A-Za-z_][\w-]*)\1/g;
/** Programs whose input becomes no file, and those that search or show. */
const NO_WRITER = /^(?:git|gh|glab|hg|jj|svn|grep|egrep|fgrep|rg|ag|ack|density|find|less|wc)$/;
/** Programs that run a script of their own, which may write. */
const INTERPRETER = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|ed|ex|awk|gawk)$/;
const IN_PLACE = /^(?:-[a-hj-zA-Z0-9]*i.*|--in-place(?:=.*)?)$/;
/** Words of a script that is not understood: a redirection, and programs that write if they have an option. */
const REDIRECTION = /(?<![0-9&<])>{1,2}\s*(?!&|\/dev\/)["'$\w./~]|\btee\b/;
const WITH_OPTION: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/\bsed\b/, /\s-[nEr]*i/],
  [/\bperl\b/, /\s-\w*i/],
  [/\b(?:python[\d.]*|node|ruby)\b/, /\s-[ce]\b/],
];
const hasWriter = (script: string): boolean =>
  REDIRECTION.test(script) ||
  script.split('\n').some((line) => WITH_OPTION.some(([program, option]) => hasInOrder(line, program, option)));
const NAMES_NO_WRITER = /\b(?:git|gh|glab)\s/;

/**
 * The parts of a POSIX shell script that may become text of a file: here-documents, what is printed into a file, and scripts of
 * programs such as `sed -i` and `python -c`. Search patterns and messages of commits do not count. Linear.
 */
export function writtenInScript(script: string): readonly string[] {
  const { documents, rest } = parted(script);
  const bodies = documents.flatMap(({ head, body }) => (mayWrite(head) ? [withoutSides(body)] : []));
  const commands = parseShell(rest);
  if (commands !== undefined) return [...bodies, ...commands.flatMap(wordsThatAreWritten)];
  return hasWriter(rest) && !NAMES_NO_WRITER.test(rest) ? [...bodies, rest] : bodies;
}

interface Parted {
  readonly documents: readonly { readonly head: string; readonly body: string }[];
  /** The script without here-documents. */
  readonly rest: string;
}

function parted(script: string): Parted {
  const documents: { head: string; body: string }[] = [];
  const rest: string[] = [];
  const lines = script.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const head = lines[at]!;
    rest.push(head.replace(HERE, ''));
    for (const [, , delimiter] of head.matchAll(HERE)) {
      const body: string[] = [];
      for (at++; at < lines.length && lines[at]!.trim() !== delimiter; at++) body.push(lines[at]!);
      documents.push({ head, body: body.join('\n') });
    }
  }
  return { documents, rest: rest.join('\n') };
}

/** True for a line whose here-document may become a file: `cat` without a redirection only shows it. */
function mayWrite(head: string): boolean {
  const before = head.slice(0, head.search(HERE));
  const command = before.slice(Math.max(...[';', '&', '|', '('].map((sign) => before.lastIndexOf(sign))) + 1);
  const program = nameOf(/^\s*(?:\w+=\S*\s+){0,1000}([\w./-]+)/.exec(command)?.[1]);
  if (NO_WRITER.test(program) || NAMES_NO_WRITER.test(before)) return false;
  return program !== 'cat' || hasWriter(head.replace(HERE, '')) || /\|/.test(head);
}

const HUNK = /^@@ -\d/m;

/** What a difference adds; another text as it is. */
export function withoutSides(text: string): string {
  if (!HUNK.test(text)) return text;
  const added = text.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  return added.map((line) => line.slice(1)).join('\n');
}

/** A program without the folders before it. */
const nameOf = (program = ''): string => program.slice(program.lastIndexOf('/') + 1);

const isToFile = ({ direction, target }: ShellCommand['redirections'][number]): boolean =>
  direction === 'out' && !target.text.startsWith('/dev/');

function isWriter({ words: [program, ...operands], redirections }: ShellCommand): boolean {
  const name = nameOf(program?.text);
  if (NO_WRITER.test(name)) return false;
  const isEditor = (name === 'sed' || name === 'perl') && operands.some(({ text }) => IN_PLACE.test(text));
  return redirections.some(isToFile) || isEditor || name === 'tee' || INTERPRETER.test(name);
}

function wordsThatAreWritten(command: ShellCommand, at: number, commands: readonly ShellCommand[]): readonly string[] {
  const [program, option, script] = command.words;
  if (/^(?:.*\/)?(?:ba|z|da)?sh$/.test(program?.text ?? '') && /^-[a-z]*c$/.test(option?.text ?? '') && script)
    return writtenInScript(script.text);
  let last = at;
  while (commands[last + 1]?.piped) last++;
  const isPipedOn = last > at && isWriter(commands[last]!) && !NO_WRITER.test(program?.text ?? '');
  return isWriter(command) || isPipedOn ? command.words.map(({ text }) => text) : [];
}
