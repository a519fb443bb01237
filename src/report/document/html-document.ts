import { html, Markup } from './markup.ts';
import { PAGE_STYLE } from './page-style.ts';

interface DocumentParts {
  readonly title: string;
  readonly header: Markup;
  readonly main: readonly Markup[];
  readonly footer: Markup;
}

/** One self-contained HTML file: no script, no request. */
export function htmlDocument({ title, header, main, footer }: DocumentParts): string {
  const style = new Markup(PAGE_STYLE.trim());
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
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
</body>
</html>
`;
  return text;
}
