const ESCAPE = '\u001b';

/** The start sequence of pasted text without its escape, which ink removes. */
export const PASTE_START = '[200~';
export const PASTE_END = '[201~';

/** Sequences that make a terminal mark pasted text, and stop it. Source: xterm control sequences, "Bracketed Paste Mode". */
export const BRACKETED_PASTE = { on: `${ESCAPE}[?2004h`, off: `${ESCAPE}[?2004l` } as const;

/** A part of keyboard input. `isWhole` is false if the end of a paste has not arrived. */
type KeyboardPart =
  | { readonly kind: 'typed'; readonly keys: string }
  | { readonly kind: 'pasted'; readonly text: string; readonly isWhole: boolean };

/** The typed and pasted parts of `keys`, raw keyboard input with escapes, in order and without empty parts. */
export function keyboardParts(keys: string): KeyboardPart[] {
  const [typed = '', ...rest] = keys.split(ESCAPE + PASTE_START);
  const parts: KeyboardPart[] = [{ kind: 'typed', keys: typed }];
  for (const part of rest) {
    const [text = '', ...behind] = part.split(ESCAPE + PASTE_END);
    parts.push({ kind: 'pasted', text, isWhole: behind.length > 0 }, { kind: 'typed', keys: behind.join('') });
  }
  return parts.filter((part) => part.kind === 'pasted' || part.keys !== '');
}
