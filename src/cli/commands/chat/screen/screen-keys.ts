import type { Key } from 'ink';
import { keyboardParts, PASTE_END, PASTE_START } from '../input/bracketed-paste.ts';
import type { EditAction } from '../input/line-editor.ts';
import type { ChatScreen } from './chat-screen.ts';

const CONTROL_EDITS: Readonly<Record<string, EditAction['kind']>> = {
  a: 'start',
  e: 'end',
  b: 'left',
  f: 'right',
  u: 'cut-to-start',
  k: 'cut-to-end',
  w: 'cut-word',
  h: 'backspace',
};

/** The edit that a key stands for; undefined for other keys. */
function editOf(input: string, key: Key): EditAction | undefined {
  const kind = (name: EditAction['kind']): EditAction => ({ kind: name }) as EditAction;
  if (key.ctrl && key.leftArrow) return kind('word-left');
  if (key.ctrl && key.rightArrow) return kind('word-right');
  if (key.meta && input === 'b') return kind('word-left');
  if (key.meta && input === 'f') return kind('word-right');
  if (key.ctrl) return CONTROL_EDITS[input] === undefined ? undefined : kind(CONTROL_EDITS[input]);
  if (key.leftArrow) return kind('left');
  if (key.rightArrow) return kind('right');
  if (key.home) return kind('start');
  if (key.end) return kind('end');
  // Terminals send the same code for Backspace and Delete.
  if (key.backspace || key.delete) return kind('backspace');
  if (key.return && key.meta) return { kind: 'insert', text: '\n' };
  return undefined;
}

/** Ctrl-D. */
function endOrDelete(screen: ChatScreen): void {
  if (screen.view().line.text === '') screen.end();
  else screen.edit({ kind: 'delete' });
}

/** Does what a control character stands for: code 1 is Ctrl-A. */
async function pressControl(screen: ChatScreen, control: string): Promise<void> {
  const code = control.charCodeAt(0);
  const kind = CONTROL_EDITS[String.fromCharCode(code + 96)];
  if (control === '\u0003') screen.interrupt();
  else if (control === '\u0004') endOrDelete(screen);
  else if (control === '\r' || control === '\n') screen.enter();
  else if (control === '\t') await screen.complete();
  else if (code === 127) screen.edit({ kind: 'backspace' });
  else if (kind !== undefined) screen.edit({ kind } as EditAction);
}

/** Handles several keys that arrive together because they were typed faster than they were read. */
async function typeText(screen: ChatScreen, input: string): Promise<void> {
  for (const piece of input.split(/(\p{Cc})/u)) {
    if (/^\p{Cc}$/u.test(piece)) await pressControl(screen, piece);
    else if (piece !== '') screen.edit({ kind: 'insert', text: piece });
  }
}

/** Keys such as the arrows. Source: ECMA-48, control sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with.
const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gsu;

/** Gives keys to the live screen. */
export class ScreenKeys {
  readonly #screen: ChatScreen;
  /** The paste so far, until its end arrives. */
  #pasted: string | undefined;

  constructor(screen: ChatScreen) {
    this.#screen = screen;
  }

  press(input: string, key: Key): void {
    if (this.#pasted === undefined) {
      const start = input.indexOf(PASTE_START);
      if (start === -1) pressKey(this.#screen, input, key);
      else this.#paste(input.slice(start + PASTE_START.length));
    } else this.#paste(key.return ? '\n' : key.tab ? '\t' : input);
  }

  /** Handles raw input from before the screen was loaded. Ignores keys that send more than a character. */
  async typeAhead(keys: string): Promise<void> {
    for (const part of keyboardParts(keys)) {
      if (part.kind === 'typed') await typeText(this.#screen, part.keys.replaceAll(ESCAPE_SEQUENCES, ''));
      else this.#paste(part.text + (part.isWhole ? PASTE_END : ''));
    }
  }

  #paste(text: string): void {
    const pasted = (this.#pasted ?? '') + text;
    const end = pasted.indexOf(PASTE_END);
    this.#pasted = end === -1 ? pasted : undefined;
    if (end === -1) return;
    const lines = pasted.slice(0, end).replaceAll(/\r\n?/g, '\n').replaceAll('\t', '  ');
    this.#screen.paste(lines.replaceAll(/(?!\n)\p{Cc}/gu, ''));
  }
}

function pressKey(screen: ChatScreen, input: string, key: Key): void {
  if (key.ctrl && input === 'c') screen.interrupt();
  else if (key.escape) screen.cancel();
  else if (screen.answer({ input, isEnter: key.return && !key.meta, isBackspace: key.backspace || key.delete })) return;
  else if (key.ctrl && input === 'd') endOrDelete(screen);
  else if (key.ctrl && input === 'o') screen.expand();
  else {
    const edit = editOf(input, key);
    if (edit) screen.edit(edit);
    else if (key.return) screen.enter();
    else if (key.tab) void screen.complete();
    else if (key.upArrow) screen.recall('back');
    else if (key.downArrow) screen.recall('forth');
    else if (input !== '' && !key.ctrl && !key.meta && !key.pageUp && !key.pageDown) void typeText(screen, input);
  }
}
