import type { Token, Tokens } from 'marked';
import type { LineStyle } from '../outcome-lines.ts';

type Colors = LineStyle['colors'];
type Paint = (text: string) => string;

const NO_PAINT: Paint = (text) => text;

/** Paints each word by itself, so that a line may break between any two. */
const painted = (text: string, paint: Paint): string => (paint === NO_PAINT ? text : text.replace(/\S+/g, paint));

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!);

const within =
  (outer: Paint, inner: Paint): Paint =>
  (text) =>
    outer === NO_PAINT ? inner(text) : outer(inner(text));

function linkText({ text, href, tokens }: Tokens.Link, colors: Colors, paint: Paint): string {
  const shown = inlineText(tokens, colors, within(paint, colors.underline));
  const isPlain = href === text || href === `mailto:${text}`;
  return isPlain ? shown : `${shown} ${painted(`(${href})`, within(paint, colors.dim))}`;
}

/** Inline Markdown as text, by its type; any other one as it is written. */
const TEXTS: Readonly<Record<string, (token: Tokens.Generic, colors: Colors, paint: Paint) => string>> = {
  strong: ({ tokens }, colors, paint) => inlineText(tokens, colors, within(paint, colors.bold)),
  em: ({ tokens }, colors, paint) => inlineText(tokens, colors, within(paint, colors.italic)),
  del: ({ tokens }, colors, paint) => inlineText(tokens, colors, within(paint, colors.strikethrough)),
  codespan: ({ text, raw }, colors, paint) =>
    colors.isColorSupported ? painted(text, within(paint, colors.cyan)) : raw,
  link: (token, colors, paint) => linkText(token as Tokens.Link, colors, paint),
  image: ({ text, href }, colors, paint) => painted(`[${text || 'image'}] (${href})`, within(paint, colors.dim)),
  br: () => '\n',
  text: ({ tokens, text }, colors, paint) =>
    tokens ? inlineText(tokens, colors, paint) : painted(decoded(text), paint),
  escape: ({ text }, _, paint) => painted(text, paint),
  checkbox: () => '',
};

/** Inline Markdown as text with colours. Without colours, code keeps its backticks. */
export const inlineText = (tokens: readonly Token[] | undefined, colors: Colors, paint: Paint = NO_PAINT): string =>
  (tokens ?? []).map((token) => TEXTS[token.type]?.(token, colors, paint) ?? painted(token.raw, paint)).join('');
