const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar padded to `columns`, drawn in eighths of a column. A share (0-1) above 0 is always visible. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  const shown = share > 0 ? Math.max(1, eighths) : 0;
  const drawn = '█'.repeat(Math.floor(shown / 8)) + (EIGHTHS[shown % 8] ?? '');
  return drawn + ' '.repeat(columns - Math.ceil(shown / 8));
}

/** A bar of exactly `columns` columns: `share` (0-1) solid, the rest as a track. */
export function gauge(share: number, columns: number): { readonly filled: string; readonly track: string } {
  const filled = share <= 0 ? 0 : Math.min(columns, Math.max(1, Math.round(share * columns)));
  return { filled: '█'.repeat(filled), track: '░'.repeat(columns - filled) };
}
