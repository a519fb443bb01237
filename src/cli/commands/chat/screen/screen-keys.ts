import type { Key } from 'ink';
import { keyboardParts, PASTE_END, PASTE_START } from '../input/bracketed-paste.ts';
import type { EditAction, EditStep } from '../input/line-editor.ts';
import type { ChatScreen } from './chat-screen.ts';

const CONTROL_EDITS: Readonly<Record<string, EditStep>> = {
  a: 'start',
  e: 'end',
  b: 'left',
  f: 'right',
  u: 'cut-to-start',
  k: 'cut-to-end',
  w: 'cut-word',
  h: 'backspace',
};

/** Other keys that edit; the first one that is pressed counts. */
const EDITS: readonly (readonly [step: EditStep, isPressed: (key: Key, input: string) => boolean])[] = [
  ['word-left', (key, input) => (key.ctrl && key.leftArrow) || (key.meta && input === 'b')],
  ['word-right', (key, input) => (key.ctrl && key.rightArrow) || (key.meta && input === 'f')],
  ['left', (key) => key.leftArrow],
  ['right', (key) => key.rightArrow],
  ['start', (key) => key.home && !key.ctrl],
  ['end', (key) => key.end && !key.ctrl],
  // Terminals send the same code for Backspace and Delete.
  ['backspace', (key) => (key.backspace || key.delete) && !key.ctrl],
];

/** The edit that a key stands for; undefined for other keys. */
function editOf(input: string, key: Key): EditAction | undefined {
  if (key.return && key.meta && !key.ctrl) return { kind: 'insert', text: '\n' };
  const [kind = key.ctrl ? CONTROL_EDITS[input] : undefined] =
    EDITS.find(([, isPressed]) => isPressed(key, input)) ?? [];
  return kind && { kind };
}

/** Ctrl-D. */
function endOrDelete(screen: ChatScreen): void {
  if (screen.view().line.text === '') screen.end();
  else screen.edit({ kind: 'delete' });
}

/** What control characters do that do not edit. */
const CONTROLS: Readonly<Record<string, (screen: ChatScreen) => void | Promise<void>>> = {
  '\u0003': (screen) => screen.interrupt(),
  '\u0004': endOrDelete,
  '\r': (screen) => screen.enter(),
  '\n': (screen) => screen.enter(),
  '\t': (screen) => screen.complete(),
};

/** Does what a control character stands for: code 1 is Ctrl-A. */
async function pressControl(screen: ChatScreen, control: string): Promise<void> {
  const code = control.charCodeAt(0);
  const kind = code === 127 ? 'backspace' : CONTROL_EDITS[String.fromCharCode(code + 96)];
  if (CONTROLS[control]) await CONTROLS[control](screen);
  else if (kind !== undefined) screen.edit({ kind });
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

/** What keys do that neither edit nor answer a question. */
const ACTIONS: readonly (readonly [
  name: 'return' | 'tab' | 'upArrow' | 'downArrow',
  act: (screen: ChatScreen) => unknown,
])[] = [
  ['return', (screen) => screen.enter()],
  ['tab', (screen) => screen.complete()],
  ['upArrow', (screen) => screen.recall('back')],
  ['downArrow', (screen) => screen.recall('forth')],
];

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
  const edit = editOf(input, key);
  const [, act] = ACTIONS.find(([name]) => key[name]) ?? [];
  if (key.ctrl && input === 'c') screen.interrupt();
  else if (key.escape) screen.cancel();
  else if (screen.answer({ input, isEnter: key.return && !key.meta, isBackspace: key.backspace || key.delete })) return;
  else if (key.ctrl && input === 'd') endOrDelete(screen);
  else if (key.ctrl && input === 'o') screen.expand();
  else if (edit) screen.edit(edit);
  else if (act) void act(screen);
  else if (input !== '' && !key.ctrl && !key.meta && !key.pageUp && !key.pageDown) void typeText(screen, input);
}
