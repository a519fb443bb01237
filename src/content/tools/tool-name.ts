/**
 * A tool's name without server, case and separators: `mcp__files__readFile`, `functions.read_file` and `ReadFile` are
 * all `readfile`.
 */
export function plainToolName(name: string): string {
  const underscores = name.lastIndexOf('__');
  const ends = ['.', '/', ':'].map((separator) => name.lastIndexOf(separator));
  const server = Math.max(underscores === -1 ? -1 : underscores + 1, ...ends);
  const own = name.slice(server + 1);
  return (own === '' ? name : own).replaceAll(/[_\s-]+/g, '').toLowerCase();
}
