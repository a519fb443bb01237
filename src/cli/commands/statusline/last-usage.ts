import { type Fields, isRecord } from '../../../content/foreign-value.ts';
import { filePart } from '../../../disk/file-part.ts';
import { linesOf } from '../../../formats/lines/lines.ts';
import { recordsOf } from '../../../formats/lines/record-lines.ts';

/** The end of a transcript that is read: a few calls. */
const TAIL_BYTES = 256 * 1024;

/** The last call of a transcript of Claude Code. */
export interface LastUsage {
  readonly model: string | undefined;
  readonly promptTokens: number;
  /** True if text was written to the cache for an hour. */
  readonly isHour: boolean;
  /** Milliseconds since 1970; undefined where the line has no time. */
  readonly at: number | undefined;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

function usageOf(value: Fields): LastUsage | undefined {
  if (value['isSidechain'] === true || !isRecord(value['message'])) return undefined;
  const { usage, model } = value['message'];
  if (!isRecord(usage)) return undefined;
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const promptTokens = numberOf(input) + numberOf(read) + numberOf(written);
  if (promptTokens === 0) return undefined;
  const creation = isRecord(usage['cache_creation']) ? usage['cache_creation'] : {};
  const at = Date.parse(String(value['timestamp']));
  return {
    model: typeof model === 'string' ? model : undefined,
    promptTokens,
    isHour: numberOf(creation['ephemeral_1h_input_tokens']) > 0,
    at: Number.isNaN(at) ? undefined : at,
  };
}

/** The last call of the main conversation in a transcript of this size; undefined if its end has none. @throws the system's error. */
export function lastUsage(file: string, sizeBytes: number): LastUsage | undefined {
  const bytes = filePart(file, Math.max(0, sizeBytes - TAIL_BYTES), TAIL_BYTES);
  let last: LastUsage | undefined;
  let isHour = false;
  for (const line of linesOf(() => [bytes])) {
    // None is in the line that the part begins in, or in one that is being written.
    const records = Buffer.from(line.buffer, line.byteOffset, line.length).includes('"usage"') ? recordsOf(line) : [];
    for (const usage of records.flatMap((record) => usageOf(record) ?? [])) {
      isHour ||= usage.isHour;
      last = { ...usage, isHour };
    }
  }
  return last;
}
