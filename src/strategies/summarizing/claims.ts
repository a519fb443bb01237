/** Something that a summary claims to be in the conversation, in line `line` (from 0) of the summary. */
export interface Claim {
  readonly kind: 'path' | 'command' | 'quotation';
  readonly text: string;
  readonly line: number;
}

/** Programs that agents run. A code span that begins with one of them is a command. */
const PROGRAM =
  /^(?:sudo |env |time )?(?:npm|npx|pnpm|yarn|bun|node|deno|tsx?|tsc|vitest|jest|eslint|biome|git|gh|hg|python3?|pip3?|uv|poetry|pytest|ruff|mypy|cargo|rustc|go|make|cmake|gradle|mvn|java|javac|dotnet|ruby|bundle|rake|php|composer|docker|kubectl|helm|terraform|bash|sh|zsh|ls|cat|cp|mv|rm|mkdir|touch|chmod|ln|grep|rg|fd|find|sed|awk|head|tail|wc|sort|xargs|tar|curl|wget|ssh|scp|psql|mysql|sqlite3|redis-cli|systemctl|kill|ps) \S/;
const CODE_SPAN = /`([^`\n]+)`/g;
const SHELL_LINE = /^\s*(?:[-*]\s+)?\$ (\S.*)$/;
const SEGMENT = String.raw`[\w.@+\-\[\]()]+`;
/** A path with a slash. A start like `/`, `./`, `~/` or `C:\`, or a file extension, distinguishes it from "and/or". */
const ROOTED_PATH = new RegExp(
  String.raw`(?<![\w:/.<])(?:\.{1,2}|~|[A-Za-z]:)?[\\/]${SEGMENT}(?:[\\/]${SEGMENT}){1,1000}`,
  'g',
);
const RELATIVE_PATH = new RegExp(
  String.raw`(?<![\w:/.\\<~@+\-\[\]()])${SEGMENT}(?:[\\/]${SEGMENT}){0,1000}[\\/][\w.@+\-]*\.[A-Za-z]\w{0,7}\b`,
  'g',
);
const BARE_FILE =
  /(?<![\w/\\.-])[\w-]+(?:\.[\w-]+){0,1000}\.(?:[cm]?[jt]sx?|json|md|py|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|ya?ml|toml|lock|sql|html|css|scss|vue|svelte|txt|xml|ini|cfg|env)\b(?![\w/\\(])/g;
const QUOTED = /"([^"\n]+)"|“([^“”\n]+)”|«([^«»\n]+)»/g;
const BLOCK_QUOTE = /^\s*>\s?(.+)$/;
/** A line that attributes a quotation to the user, outside the section that contains only such quotations. */
const USER_SAID = /\buser(?:'s|’s)?\b[^"“«\n]{0,80}$/i;
const LONGEST_ATTRIBUTION = 100;
const SHORTEST_QUOTATION_WORDS = 3;
const TAG = /<\/?[a-z_]+>/g;

/** The paths, commands and user quotations in a snapshot, in order, each once per line. Linear in the text. */
export function claimsOf(snapshot: string): Claim[] {
  const claims: Claim[] = [];
  let isDirectives = false;
  for (const [line, raw] of snapshot.split('\n').entries()) {
    if (raw.includes('<user_directives>')) isDirectives = true;
    const seen = new Set<string>();
    for (const { kind, text } of claimsOfLine(raw.replace(TAG, ' '), isDirectives)) {
      if (seen.has(text)) continue;
      seen.add(text);
      claims.push({ kind, text, line });
    }
    if (raw.includes('</user_directives>')) isDirectives = false;
  }
  return claims;
}

type Found = Omit<Claim, 'line'>;

function claimsOfLine(line: string, isDirectives: boolean): Found[] {
  const quotations = quotationsOf(line, isDirectives);
  // A file that a quotation names is part of the quotation.
  const rest = quotations.reduce((text, quotation) => text.replace(quotation.text, ' '), line);
  const commands = commandsOf(rest);
  const words = commands.reduce((text, command) => text.replace(command.text, ' '), rest);
  return [...quotations, ...commands, ...pathsOf(words)];
}

function quotationsOf(line: string, isDirectives: boolean): Found[] {
  const found: Found[] = [];
  for (const match of line.matchAll(QUOTED)) {
    const text = (match[1] ?? match[2] ?? match[3])!.trim();
    if (text.split(/\s+/).length < SHORTEST_QUOTATION_WORDS) continue;
    if (isDirectives || USER_SAID.test(line.slice(Math.max(0, match.index - LONGEST_ATTRIBUTION), match.index)))
      found.push({ kind: 'quotation', text });
  }
  const quoted = isDirectives ? BLOCK_QUOTE.exec(line)?.[1]?.trim() : undefined;
  if (quoted !== undefined && found.length === 0) found.push({ kind: 'quotation', text: quoted });
  return found;
}

function commandsOf(line: string): Found[] {
  const shell = SHELL_LINE.exec(line)?.[1];
  if (shell !== undefined) return [{ kind: 'command', text: shell.trim() }];
  const spans = [...line.matchAll(CODE_SPAN)].map((match) => match[1]!.trim());
  return spans.filter((span) => PROGRAM.test(span)).map((text) => ({ kind: 'command', text }));
}

function pathsOf(line: string): Found[] {
  const found = [ROOTED_PATH, RELATIVE_PATH, BARE_FILE].flatMap((pattern) => [...line.matchAll(pattern)]);
  const spans: [start: number, end: number][] = [];
  const paths: (Found & { index: number })[] = [];
  for (const { 0: match, index } of found) {
    const end = index + match.length;
    if (spans.some(([from, to]) => index < to && from < end)) continue;
    spans.push([index, end]);
    const text = match.replace(/(?<![.,;:)\]])[.,;:)\]]+$/, '').replace(/^\(/, '');
    if (text.length > 2) paths.push({ kind: 'path', text, index });
  }
  return paths.sort((left, right) => left.index - right.index);
}
