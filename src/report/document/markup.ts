/** HTML. Text of a session gets into it only through `html`, which escapes it. */
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

/** Characters that are invalid in HTML, and those that change the direction of text. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\ufffe\uffff\u202a-\u202e\u2066-\u2069]/gu;

/** `text` escaped for HTML, also inside quotes. Invisible characters become `·`. */
export const escaped = (text: string): string =>
  text.replace(UNSEEN, '·').replace(/[&<>"']/g, (character) => ESCAPES[character]!);

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(({ text }) => text).join('');
}

/** HTML from a template. Escapes every value that is not `Markup`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.reduce((page, text, at) => page + textOf(parts[at - 1]!) + text));

export const NOTHING = new Markup('');

/** A long name, for example a path, that can break after its separators. */
export const breakable = (name: string): Markup => new Markup(escaped(name).replace(/([/_.-])([^/_.-])/g, '$1<wbr>$2'));
