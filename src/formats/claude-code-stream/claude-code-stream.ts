import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { claudeCode as vocabulary } from '../../content/vocabularies/claude-code.ts';
import { claudeCode } from '../claude-code/claude-code.ts';
import { USAGE_REPORTS } from '../claude-code/usage.ts';
import type { Line, SessionFormat } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { jsonLine } from '../json/json-text.ts';
import { recordLines } from '../lines/record-lines.ts';

const NAME = 'claude-code-stream';
const NOTHING: Line = new Uint8Array([10]);

const isBoundary = ({ type, subtype }: Fields): boolean => type === 'system' && subtype === 'compact_boundary';

/** True for a message of the main agent: those of sub-agents name the call that started them. */
const isMessage = ({ type, message, parent_tool_use_id }: Fields): boolean =>
  (type === 'assistant' || type === 'user') && isRecord(message) && !parent_tool_use_id;

/** `pre_tokens` as `preTokens`: sessions have the names of the program, its output those of an API. */
function camelCase(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const named = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [named(name), camelCase(one)]));
}

/** The lines as a session of Claude Code has them, each after the one before; all others are blank, so that lines keep their numbers. */
function* asSession(lines: Iterable<Line>): Generator<Line> {
  let parentUuid: unknown = null;
  let isCut = false;
  let cwd: unknown;
  for (const { bytes, parsed } of recordLines(lines)) {
    const line = parsed.kind === 'json' && isRecord(parsed.value) ? parsed.value : undefined;
    cwd = line?.['cwd'] ?? cwd;
    if (line === undefined) yield bytes;
    else if (!isMessage(line) && !isBoundary(line)) yield NOTHING;
    else {
      const { session_id: sessionId, isSynthetic: isMeta, ...rest } = line;
      const isCompactSummary = isCut && line['type'] === 'user';
      const facts = { sessionId, parentUuid, isSidechain: false, cwd, isMeta, isCompactSummary };
      isCut = isBoundary(line);
      const boundary = isCut ? { parentUuid: null, compactMetadata: camelCase(line['compact_metadata']) } : {};
      yield jsonLine({ ...rest, ...facts, ...boundary }, 'a line');
      parentUuid = line['uuid'];
    }
  }
}

const isLine = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['session_id'] === 'string' &&
  (isMessage(value) ? 'parent_tool_use_id' in value : value['type'] === 'system' && value['subtype'] === 'init');

/**
 * What `claude -p --output-format stream-json` prints. The prompt is in it only with `--replay-user-messages`, and reported
 * usage ends with the first token of each answer; what sub-agents do is not read. Source: Claude Code 2.1.330
 */
export const claudeCodeStream: SessionFormat = {
  name: NAME,
  title: 'Claude Code stream-json output',
  vocabulary,
  detect: (head) => headLines(head).some(isLine),
  read: (lines) => ({ ...claudeCode.read(asSession(lines)), format: NAME }),
  usageReports: USAGE_REPORTS,
};
