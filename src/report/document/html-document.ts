import { html, Markup, NOTHING } from './markup.ts';
import { PAGE_STYLE } from './page-style.ts';

interface DocumentParts {
  readonly title: string;
  readonly header: Markup;
  readonly main: readonly Markup[];
  readonly footer: Markup;
  /** For a page that a server sends and whose script keeps it up to date. */
  readonly live?: LiveDocument;
}

interface LiveDocument {
  /** Content security policy; it names the hashes of the script and of `pageStyle(style)`. */
  readonly policy: string;
  readonly script: string;
  /** Beyond the style of reports. */
  readonly style: string;
}

const STILL = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The style sheet of a page, with more at its end. */
export const pageStyle = (more = ''): string => PAGE_STYLE.trim() + more;

/** One self-contained HTML file: no script and no request, unless it is `live`. */
export function htmlDocument({ title, header, main, footer, live }: DocumentParts): string {
  const style = new Markup(pageStyle(live?.style));
  const script = live?.script ? new Markup(`<script>${live.script}</script>\n`) : NOTHING;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(live?.policy ?? STILL)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>${header}</header>
<main>${main}</main>
<footer>${footer}</footer>
${script}</body>
</html>
`;
  return text;
}

/** A main figure of a page, in a list of class `tiles`. */
export const tile = (title: string, value: string, detail: string): Markup =>
  html`<div><dt>${title}</dt><dd>${value}<small>${detail}</small></dd></div>`;
