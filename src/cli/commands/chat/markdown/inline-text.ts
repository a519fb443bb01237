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

/** Inline Markdown as text with colours. Without colours, code keeps its backticks. */
export function inlineText(tokens: readonly Token[] | undefined, colors: Colors, paint: Paint = NO_PAINT): string {
  return (tokens ?? [])
    .map((each) => {
      const token = each as Tokens.Generic;
      switch (token.type) {
        case 'strong':
          return inlineText(token.tokens, colors, within(paint, colors.bold));
        case 'em':
          return inlineText(token.tokens, colors, within(paint, colors.italic));
        case 'del':
          return inlineText(token.tokens, colors, within(paint, colors.strikethrough));
        case 'codespan':
          return colors.isColorSupported ? painted(token['text'], within(paint, colors.cyan)) : token.raw;
        case 'link':
          return linkText(token as Tokens.Link, colors, paint);
        case 'image':
          return painted(`[${token['text'] || 'image'}] (${token['href']})`, within(paint, colors.dim));
        case 'br':
          return '\n';
        case 'text':
          if (token.tokens) return inlineText(token.tokens, colors, paint);
          return painted(decoded(token['text']), paint);
        case 'escape':
          return painted(token['text'], paint);
        case 'checkbox':
          return '';
        default:
          return painted(token.raw, paint);
      }
    })
    .join('');
}
