const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `columns` columns at `share` 1, in eighths of a column; anything above 0 is visible. Filled up with blanks. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  const shown = share > 0 ? Math.max(1, eighths) : 0;
  const drawn = '█'.repeat(Math.floor(shown / 8)) + (EIGHTHS[shown % 8] ?? '');
  return drawn + ' '.repeat(columns - Math.ceil(shown / 8));
}

/** A bar of exactly `columns` columns: the kept part solid, the rest as a track. */
export function gauge(share: number, columns: number): { readonly filled: string; readonly track: string } {
  const filled = share <= 0 ? 0 : Math.min(columns, Math.max(1, Math.round(share * columns)));
  return { filled: '█'.repeat(filled), track: '░'.repeat(columns - filled) };
}
