const ESCAPE = '\u001b';

/** The part of the sequence before pasted text that follows its escape: ink removes the escape. */
export const PASTE_START = '[200~';
export const PASTE_END = '[201~';

/** Asks a terminal to mark pasted text, and to stop. Source: xterm control sequences, "Bracketed Paste Mode". */
export const BRACKETED_PASTE = { on: `${ESCAPE}[?2004h`, off: `${ESCAPE}[?2004l` } as const;

/** A part of what a keyboard sent. `isWhole` is false for a paste whose end has not arrived. */
export type KeyboardPart =
  | { readonly kind: 'typed'; readonly keys: string }
  | { readonly kind: 'pasted'; readonly text: string; readonly isWhole: boolean };

/** The typed and pasted parts of `keys`, raw bytes of a keyboard with escapes, in order; empty parts are left out. */
export function keyboardParts(keys: string): KeyboardPart[] {
  const [typed = '', ...rest] = keys.split(ESCAPE + PASTE_START);
  const parts: KeyboardPart[] = [{ kind: 'typed', keys: typed }];
  for (const part of rest) {
    const [text = '', ...behind] = part.split(ESCAPE + PASTE_END);
    parts.push({ kind: 'pasted', text, isWhole: behind.length > 0 }, { kind: 'typed', keys: behind.join('') });
  }
  return parts.filter((part) => part.kind === 'pasted' || part.keys !== '');
}
