/** Lines of a file that its agent attached because something else changed it, after the sentence that says so. */
export interface FileText {
  readonly kind: 'file';
  readonly start: number;
  readonly end: number;
  readonly lineEnd: '\n';
  /** As the agent writes it. */
  readonly file: string;
}

/** The sentence of Claude Code. Source: Claude Code 2.1.217 to 2.1.330. */
const SENTENCE =
  /^Note: (?=.*Here are the relevant changes \(shown with line numbers\):\n)(.+?) (?:was modified, either by the user or by a linter\.|changed on disk since you last read it\.) /m;
const REMINDER = '<system-reminder>\n';
const REMINDER_END = '\n</system-reminder>';
/** A line of the file, or what stands between such lines. */
const LINE =
  /^(?:\s*\d+(?:\t|→).*|\.\.\.(?: \[\d+ lines truncated\] \.\.\.)?|\[\d+ lines pruned: .*\]|⟦density: .*⟧|)$/;

/** The file that is the whole text; where the text is the agent's, also one among other words. */
export function fileText(text: string, isAgents: boolean): FileText | undefined {
  if (!text.includes('(shown with line numbers):\n')) return undefined;
  const found = SENTENCE.exec(text);
  if (found === null) return undefined;
  const start = text.indexOf('\n', found.index) + 1;
  const end = endOfLines(text, start);
  const isWhole =
    text.startsWith(REMINDER) && found.index === REMINDER.length && text.slice(end).trimEnd() === REMINDER_END;
  return isAgents || isWhole ? { kind: 'file', start, end, lineEnd: '\n', file: found[1]! } : undefined;
}

/** The end of the last line of the file, without blank lines after it. */
function endOfLines(text: string, start: number): number {
  let end = start;
  for (let at = start; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline;
    const line = text.slice(at, next);
    if (!LINE.test(line)) break;
    if (line !== '') end = next;
    at = next + 1;
  }
  return end;
}
