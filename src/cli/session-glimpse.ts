import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { FoundSession } from './session-places.ts';

/** What the ends of a session file tell, without reading it. */
export interface SessionGlimpse {
  /** Folder that the agent worked in, where the file says so near its start. */
  readonly project?: string;
  /** Visible tokens, estimated: what the provider reported last, else a share of the size. Absent when nothing tells. */
  readonly tokens?: number;
}

const END_BYTES = 16 * 1024;

const WORKSPACE = /"(?:cwd|directory|workspaceRoot)":\s*("(?:[^"\\]|\\.)+")/;
const number = (name: string): string => `"${name}":\\s*(\\d+)`;
/** Anthropic's usage: the parts of a prompt are apart. */
const PARTS = new RegExp(
  `${number('input_tokens')},\\s*${number('cache_creation_input_tokens')},\\s*${number('cache_read_input_tokens')}`,
  'g',
);
/** A call's total as Codex, pi and Gemini CLI record it; in a line of Codex the last call stands behind the sum of all. */
const TOTAL = /"(?:last_token_usage":\{[^}]*"total_tokens|totalTokens|tokens":\{[^}]*"total)":\s*(\d+)/g;

function endsOf(file: string, sizeBytes: number): { head: string; tail: string } {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(END_BYTES, sizeBytes));
    const read = (position: number): string =>
      buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, position));
    const head = read(0);
    return { head, tail: sizeBytes > END_BYTES ? read(sizeBytes - END_BYTES) : head };
  } finally {
    closeSync(descriptor);
  }
}

function reportedTokens(tail: string): number | undefined {
  const parts = [...tail.matchAll(PARTS)].at(-1);
  const total = [...tail.matchAll(TOTAL)].at(-1);
  if (parts && (!total || parts.index > total.index))
    return parts.slice(1).reduce((sum, digits) => sum + Number(digits), 0);
  return total && Number(total[1]);
}

/** The workspace's path; it was read byte by byte, so that cutting a character does not matter. */
function projectIn(head: string): string | undefined {
  const quoted = WORKSPACE.exec(head)?.[1];
  if (quoted === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(quoted, 'latin1').toString('utf8')) as string;
  } catch {
    return undefined;
  }
}

/** Reads 16 KB at each end of a session, about 0.1 ms. Nothing for a file that cannot be read. */
export function glimpse({ path: file, sizeBytes, place }: FoundSession): SessionGlimpse {
  try {
    const { head, tail } = endsOf(file, sizeBytes);
    const project = projectIn(head) ?? path.basename(path.dirname(file));
    if (place.isSpread) return { project };
    const bySize = Math.round(sizeBytes * place.tokensPerByte);
    const reported = reportedTokens(tail) ?? 0;
    // What was sent is known, what of it were tools and prompt is not.
    const seen = Math.max(reported - (place.unseenTokens ?? 0), Math.min(bySize, reported));
    return { project, tokens: reported > 0 ? seen : bySize };
  } catch {
    return {};
  }
}
