/** A piece of HTML. Texts of a session become part of one only by way of `html`, which escapes them. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | readonly Markup[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that no HTML may hold, and those that turn the direction of what stands beside them. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\ufffe\uffff\u202a-\u202e\u2066-\u2069]/gu;

/** `text` as it stands in HTML, also inside quotes; what would not be seen becomes `·`. */
export const escaped = (text: string): string =>
  text.replace(UNSEEN, '·').replace(/[&<>"']/g, (character) => ESCAPES[character]!);

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(({ text }) => text).join('');
}

/** HTML with everything put into it escaped, unless it is markup already. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.reduce((page, text, at) => page + textOf(parts[at - 1]!) + text));

/** No HTML at all. */
export const NOTHING = new Markup('');

/** A path or another long name that may be broken after its separators. */
export const breakable = (name: string): Markup =>
  new Markup(escaped(name).replace(/[/_.-]+(?=.)/g, (separators) => `${separators}<wbr>`));
