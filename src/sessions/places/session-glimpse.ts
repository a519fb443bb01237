import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';
import { withFile } from '../../disk/file-part.ts';
import { regularFileText } from '../../disk/regular-file.ts';
import { linesOf } from '../../formats/lines/lines.ts';
import { recordLines } from '../../formats/lines/record-lines.ts';
import { REPORTED } from '../../formats/usage/usage-report.ts';
import type { FoundSession, SessionPlace } from './session-places.ts';

/** What the first and last bytes of a session file say. */
export interface SessionGlimpse {
  /** Folder that the agent worked in, if the file names it near its start. */
  readonly project?: string;
  /** Tokens of the whole context, estimated: the provider's last report, else by size. Absent when neither is known. */
  readonly tokens?: number;
}

const END_BYTES = 16 * 1024;
/** The bytes of the end that are read if the last bytes have no report, because a large result is there. */
const LONG_END_BYTES = 256 * 1024;

const WORKSPACE = /"(?:cwd|directory|workspaceRoot)":\s*("(?:[^"\\]|\\.){1,10000}")/;
/** The workspace as Cline and its forks name it to the model, inside a JSON string. Source: the recordings. */
const NAMED_WORKSPACE = /Current Work(?:space|ing) Directory \(([^)"\n]+)(\))?/;
const number = (name: string): string => `"${name}":\\s*(\\d+)`;

/** A way in which agents report the size of a prompt. */
interface Report {
  readonly pattern: RegExp;
  /** Part of each match: searching for it is faster. */
  readonly needle: string;
}

const REPORTS: readonly Report[] = [
  {
    // Anthropic's usage, which reports the parts of a prompt separately.
    pattern: new RegExp(
      `${number('input_tokens')},\\s*${number('cache_creation_input_tokens')},\\s*${number('cache_read_input_tokens')}`,
      'g',
    ),
    needle: '"cache_creation_input_tokens"',
  },
  {
    // The total of one model call in Codex, pi and Gemini CLI. A line of Codex contains the sum of all calls, then the last call.
    pattern: /"(?:last_token_usage":\{[^{}]*"total_tokens|totalTokens|tokens":\s*\{[^{}]*"total)":\s*(\d+)/g,
    needle: 'otal',
  },
  {
    // The parts that pi reports; its versions before the total have only these.
    pattern: new RegExp(
      `"usage":\\s*\\{${['input', 'output', 'cacheRead', 'cacheWrite'].map(number).join(',\\s*')}`,
      'g',
    ),
    needle: '"cacheWrite"',
  },
  {
    // What Copilot CLI counts at the end of a run, without tool definitions, which nothing else of a session has.
    pattern: new RegExp(`${number('systemTokens')},\\s*${number('conversationTokens')}`, 'g'),
    needle: '"conversationTokens"',
  },
];
/** An agent's own compaction, or a run that Copilot CLI goes on with. What was reported before it is no longer what is sent. */
const COMPACTIONS: readonly Report[] = [
  {
    pattern: /"(?:isCompactSummary":\s*true|subtype":\s*"compact_boundary"|type":\s*"(?:compacted|compaction)")/g,
    needle: 'ompact',
  },
  { pattern: /"type":\s*"session\.(?:compaction_complete|resume)"/g, needle: '"session.' },
];
/** Before what a provider reported before entries were removed, beside the estimate of what is left. */
const BEFORE_REMOVAL = new RegExp(`"${REPORTED}":\\s*(?=\\{)`, 'g');
/** Lines that Codex writes between an answer and the report of its call. The results are sent with the next call. */
const CODEX_RESULT = /"type":\s*"\w+_call_output"/;
const CODEX_NOTICE = /"type":\s*"event_msg"/;
/** As Codex itself counts a result: "Original token count". */
const TOKENS_PER_RESULT_BYTE = 0.25;

const lastMatch = (text: string, { pattern, needle }: Report): RegExpExecArray | undefined =>
  text.includes(needle) ? [...text.matchAll(pattern)].at(-1) : undefined;

const lastOf = (text: string, reports: readonly Report[]): RegExpExecArray | undefined =>
  reports
    .map((report) => lastMatch(text, report))
    .reduce((one, other) => (other === undefined || (one && one.index > other.index) ? one : other));

/** Where the object ends that begins at `start`; the strings of a report have no braces. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** The text without what was reported before entries were removed. */
function withoutEarlierReports(text: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: key, index } of text.matchAll(BEFORE_REMOVAL)) {
    if (index < from) continue;
    kept += text.slice(from, index);
    from = endOfObject(text, index + key.length);
  }
  return kept + text.slice(from);
}

/** Lengths of results, and whether more of them may stand before the text. */
interface Results {
  readonly bytes: number;
  readonly isCut: boolean;
}

/** The results between an answer of Codex and the report of its call at `index`. */
function resultsBefore(text: string, index: number): Results {
  let bytes = 0;
  let end = text.lastIndexOf('\n', index);
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1);
    const line = text.slice(start + 1, end);
    if (CODEX_RESULT.test(line)) bytes += line.length;
    else if (start !== -1 && !CODEX_NOTICE.test(line)) return { bytes, isCut: false };
    end = start;
  }
  return { bytes, isCut: true };
}

/** The end of a session file. */
interface Tail {
  readonly part: string;
  /** The part with a line for each record. */
  readonly text: string;
  /** The last report since the last compaction, and results that were not sent yet when it was made, in tokens. */
  readonly reported: number | undefined;
  /** Where the line of the last compaction starts; -1 if there is none. */
  readonly compacted: number;
  /** True if more of these results may stand before the text. */
  readonly isCut: boolean;
}

/** Where a record may start in the middle of a line. Where none does, the lines need not be parsed. */
const GLUED = /[^\s:,[\\]\{"/;

/** The text with a line for each record, if it may have several in a line. It has one character per byte. */
function withRecordLines(text: string): string {
  if (!GLUED.test(text)) return text;
  const lines = recordLines(linesOf(() => [Buffer.from(text, 'latin1')]));
  return [...lines].map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('');
}

function tailOf(part: string): Tail {
  const text = withRecordLines(part);
  const compaction = lastOf(text, COMPACTIONS);
  const compacted = compaction === undefined ? -1 : text.lastIndexOf('\n', compaction.index) + 1;
  const kept = withoutEarlierReports(compacted === -1 ? text : text.slice(compacted));
  const last = lastOf(kept, REPORTS);
  if (last === undefined) return { part, text, reported: undefined, compacted, isCut: false };
  const isCodex = last[0].startsWith('"last_token_usage');
  const { bytes, isCut } = isCodex ? resultsBefore(kept, last.index) : { bytes: 0, isCut: false };
  const counted = last.slice(1).reduce((sum, digits) => sum + Number(digits), 0);
  const reported = counted + Math.round(bytes * TOKENS_PER_RESULT_BYTE);
  return { part, text, reported, compacted, isCut: isCut && compacted === -1 };
}

function endsOf({ path: file, sizeBytes, place }: FoundSession): { readonly head: string; readonly tail: Tail } {
  return withFile(file, (read) => {
    const part = (position: number, length: number): string => read(position, length).toString('latin1');
    const head = part(0, END_BYTES);
    const short = tailOf(sizeBytes > END_BYTES ? part(sizeBytes - END_BYTES, END_BYTES) : head);
    const hasReports = place.unseenTokens !== undefined && sizeBytes > END_BYTES;
    const isWhole = !short.isCut && (short.reported !== undefined || short.compacted !== -1);
    if (!hasReports || isWhole) return { head, tail: short };
    const start = Math.max(0, sizeBytes - LONG_END_BYTES);
    return { head, tail: tailOf(part(start, sizeBytes - start)) };
  });
}

/** The path of the workspace. `head` has one character per byte, so a cut inside a character does no harm. */
function projectIn(head: string): string | undefined {
  const [, named, end] = NAMED_WORKSPACE.exec(head) ?? [];
  const quoted = WORKSPACE.exec(head)?.[1] ?? (end && `"${named}"`);
  if (quoted === undefined) return undefined;
  return readOr(() => JSON.parse(Buffer.from(quoted, 'latin1').toString('utf8')) as string, undefined);
}

/** A file in which Gemini CLI and its forks note the project of a folder. Source: google-gemini/gemini-cli, projectRegistry.ts */
const NOTED_ROOT = '.project_root';

/** The project's name if the session has none: from a note in its folder, else the folder's name. */
function projectAround({ path: file, place }: FoundSession): string {
  if (!place.isByProject) return path.basename(path.dirname(file));
  const [name = ''] = path.relative(place.folder, file).split(path.sep);
  return readOr(() => regularFileText(path.join(place.folder, name, NOTED_ROOT)).trim(), '') || name;
}

/** Tokens of this many bytes, where the size of a file says how many are sent. */
const tokensBySize = ({ tokensPerByte }: SessionPlace, bytes: number): number | undefined =>
  tokensPerByte && Math.round(bytes * tokensPerByte);

const glimpseOf = (project: string, tokens: number | undefined): SessionGlimpse => ({
  project,
  ...(tokens !== undefined && { tokens }),
});

/** A glimpse from 16 KB at each end of a session, or more of its end, in about 0.1 ms; empty if the file cannot be read. */
export function glimpse(found: FoundSession): SessionGlimpse {
  const { sizeBytes, place, told } = found;
  if (told) {
    const { project, reportedTokens = tokensBySize(place, told.ownBytes) } = told;
    return glimpseOf(project, reportedTokens);
  }
  if (found.problem !== undefined) return {};
  try {
    const { head, tail } = endsOf(found);
    const project = projectIn(head) ?? projectAround(found);
    const { part, text, reported, compacted } = tail;
    const sentBytes = compacted === -1 ? sizeBytes : text.length - compacted;
    // A file without any report is of a conversation without an answer: nothing tells what its agent sends beside it.
    const unseen = compacted === -1 && part.length === sizeBytes ? 0 : (place.unseenTokens ?? 0);
    const bySize = tokensBySize(place, sentBytes);
    return glimpseOf(project, reported || (bySize && bySize + unseen));
  } catch {
    return {};
  }
}
