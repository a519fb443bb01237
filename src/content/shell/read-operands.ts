import { append } from '../append.ts';
import type { ShellWord } from './shell-command.ts';

/** What a reading program does: it prints `files`; `onlyReads` if it does nothing else. */
interface Reading {
  readonly files: readonly ShellWord[];
  readonly onlyReads: boolean;
}

const NO_READING: Reading = { files: [], onlyReads: false };

/** The lines that `sed -n` prints: numbers, `$` or one regular expression, then `p`, `q` or `=`; without blanks. */
const PRINTING_SED =
  /^(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\+?\d+|\$|\/[^/]*\/))?)?[pq=](?:;(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\+?\d+|\$|\/[^/]*\/))?)?[pq=]){0,1000};?$/;

/** Options whose value is the next word, and options with which a program does more than read. */
const READERS: Readonly<Record<string, { takesValue?: RegExp; refused?: RegExp }>> = {
  cat: {},
  nl: { takesValue: /^-[bdfhilnsvw]$/ },
  head: { takesValue: /^(?:-[nc]|--lines|--bytes)$/ },
  tail: { takesValue: /^(?:-[nc]|--lines|--bytes)$/, refused: /^-(?:[fF]|-follow|-retry|-pid)/ },
};

/** The words that name files which `cat`, `nl`, `head`, `tail` or `sed` reads; `undefined` for other programs. */
export function readOperands([name, ...operands]: readonly ShellWord[]): Reading | undefined {
  if (name?.text === 'sed') return sedReading(operands);
  return name !== undefined && Object.hasOwn(READERS, name.text) ? plainReading(name.text, operands) : undefined;
}

function plainReading(program: string, operands: readonly ShellWord[]): Reading {
  const { takesValue, refused } = READERS[program]!;
  const files: ShellWord[] = [];
  let onlyReads = true;
  for (let at = 0; at < operands.length; at++) {
    const operand = operands[at]!;
    if (refused?.test(operand.text)) onlyReads = false;
    if (takesValue?.test(operand.text)) at++;
    else if (!/^[-+]/.test(operand.text)) files.push(operand);
  }
  return { files, onlyReads };
}

function sedReading(operands: readonly ShellWord[]): Reading {
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
    else if (operand.text.startsWith('-')) return NO_READING;
    else files.push(operand);
  }
  if (scripts.length === 0) append(scripts, files.splice(0, 1));
  const onlyPrints = scripts.every(({ text, literal }) => literal && PRINTING_SED.test(text.replace(/\s+/g, '')));
  return isQuiet && scripts.length > 0 && onlyPrints ? { files, onlyReads: true } : NO_READING;
}
