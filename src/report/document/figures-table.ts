import { html, type Markup, NOTHING } from './markup.ts';

/** What a row is about, and its figures in the order of the columns. */
export interface FiguresRow {
  readonly name: Markup;
  readonly figures: readonly string[];
  readonly isChosen?: boolean;
}

interface FiguresTable {
  /** For who does not see the page. */
  readonly caption: string;
  /** What the rows are. */
  readonly rowTitle: string;
  readonly columns: readonly string[];
  /** Shorter titles of columns, for beside a figure. */
  readonly shortTitles?: Readonly<Record<string, string>>;
  /** The rows begin with marks and no lines of a curve. */
  readonly isMarked?: boolean;
}

/** Figures of several things side by side; where the page is narrow, the title of its column stands beside each figure. */
export function figuresTable(
  rows: readonly FiguresRow[],
  { caption, rowTitle, columns, shortTitles = {}, isMarked = false }: FiguresTable,
): Markup {
  const titles = [rowTitle, ...columns].map((title) => html`<th scope="col">${title}</th>`);
  const body = rows.map(({ name, figures, isChosen }) => {
    const cells = columns.map(
      (title, at) => html`<td data-name="${shortTitles[title] ?? title}">${figures[at] ?? ''}</td>`,
    );
    return html`<tr${isChosen ? html` class="chosen"` : NOTHING}><th scope="row">${name}</th>${cells}</tr>`;
  });
  return html`<table class="figures${isMarked ? ' marked' : ''}"><caption class="unseen">${caption}</caption><thead><tr>${titles}</tr></thead><tbody>${body}</tbody></table>`;
}
