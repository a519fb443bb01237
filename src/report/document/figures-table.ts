import { html, type Markup, NOTHING } from './markup.ts';

/** The name of a row, and its figures in the order of the columns. */
interface FiguresRow {
  readonly name: Markup;
  readonly figures: readonly string[];
  readonly isChosen?: boolean;
}

interface FiguresTable {
  /** For screen readers. */
  readonly caption: string;
  /** The title of the first column. */
  readonly rowTitle: string;
  readonly columns: readonly string[];
  /** Shorter titles for narrow pages. */
  readonly shortTitles?: Readonly<Record<string, string>>;
  /** True if the rows start with symbols only, without the line of a curve. */
  readonly hasSymbols?: boolean;
}

/** A table of figures. On a narrow page, each figure has the title of its column beside it. */
export function figuresTable(
  rows: readonly FiguresRow[],
  { caption, rowTitle, columns, shortTitles = {}, hasSymbols = false }: FiguresTable,
): Markup {
  const titles = [rowTitle, ...columns].map((title) => html`<th scope="col">${title}</th>`);
  const body = rows.map(({ name, figures, isChosen }) => {
    const cells = columns.map(
      (title, at) => html`<td data-name="${shortTitles[title] ?? title}">${figures[at] ?? ''}</td>`,
    );
    return html`<tr${isChosen ? html` class="chosen"` : NOTHING}><th scope="row">${name}</th>${cells}</tr>`;
  });
  return html`<table class="figures${hasSymbols ? ' symbols' : ''}"><caption class="unseen">${caption}</caption><thead><tr>${titles}</tr></thead><tbody>${body}</tbody></table>`;
}
