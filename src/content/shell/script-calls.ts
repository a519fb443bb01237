import { NotUnderstood, ScriptReader } from './script-reader.ts';

/** A call of a tool in a script, with its only parameter. */
export interface ScriptCall {
  readonly name: string;
  readonly parameters: unknown;
}

/** `isUnderstood`: the script does nothing but these calls and prints; otherwise they are the ones before what is not. */
export interface ScriptCalls {
  readonly calls: readonly ScriptCall[];
  readonly isUnderstood: boolean;
}

/**
 * The calls that a JavaScript source certainly makes of `tools`, in order: with literal parameters or constants, one
 * after the other or in `Promise.all`. Never throws. Linear.
 */
export function scriptCalls(source: string): ScriptCalls {
  const calls: ScriptCall[] = [];
  const reader = new ScriptReader(source);
  try {
    while (!reader.isAtEnd) statement(reader, calls);
    return { calls, isUnderstood: calls.length > 0 };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { calls, isUnderstood: false };
  }
}

function statement(reader: ScriptReader, calls: ScriptCall[]): void {
  if (reader.accepts(';')) return;
  const word = reader.peekWord();
  if (word === 'text') {
    reader.word();
    reader.expect('(');
    expression(reader, calls);
    reader.skipToParenthesis();
  } else if (/^(?:const|let|var)$/.test(word)) {
    reader.word();
    declaration(reader, calls);
  } else if (!expression(reader, calls)) throw new NotUnderstood();
  // What follows without a semicolon may belong to it.
  if (!reader.accepts(';') && !reader.isAtEnd && reader.peekWord() === '') throw new NotUnderstood();
}

function declaration(reader: ScriptReader, calls: ScriptCall[]): void {
  if (reader.accepts('[')) {
    do if (reader.peekWord() !== '') reader.define(reader.word(), undefined);
    while (reader.accepts(','));
    reader.expect(']');
    reader.expect('=');
    if (!expression(reader, calls)) throw new NotUnderstood();
    return;
  }
  const name = reader.word();
  reader.expect('=');
  if (expression(reader, calls)) reader.define(name, undefined);
  else reader.define(name, reader.value());
}

/** Reads calls of tools; false, without moving on, for anything else. */
function expression(reader: ScriptReader, calls: ScriptCall[]): boolean {
  const isAwaited = reader.peekWord() === 'await';
  if (isAwaited) reader.word();
  const word = reader.peekWord();
  if (word === 'tools') {
    reader.word();
    reader.expect('.');
    const name = reader.word();
    reader.expect('(');
    const parameters = reader.value();
    reader.expect(')');
    calls.push({ name, parameters });
    return true;
  }
  if (word === 'Promise') {
    for (const token of ['Promise', '.', 'all', '(', '[']) reader.expect(token);
    while (!reader.accepts(']')) {
      if (!expression(reader, calls)) throw new NotUnderstood();
      if (!reader.accepts(',')) {
        reader.expect(']');
        break;
      }
    }
    reader.expect(')');
    return true;
  }
  if (isAwaited) throw new NotUnderstood();
  return false;
}
