import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOf } from '../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../disk/owner-only.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { IProvider, SummaryOutcome, SummaryRequest, WrittenSummary } from '../strategies/contract.ts';

const LINE = z.object({ key: z.string(), text: z.string(), isTruncated: z.boolean() });

/** The key of a request, which is equal on every computer. */
function keyOf({ instructions, input, maxOutputTokens }: SummaryRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([instructions, input, maxOutputTokens]))
    .digest('hex');
}

/**
 * Recorded summaries in a file, one JSON line each, so that a replay needs no network: a recorded request gets its recorded
 * answer. Other requests are sent to `provider` and recorded; without a provider they fail.
 */
export class RecordedSummaries implements IProvider {
  readonly name: string;
  readonly #file: string;
  readonly #answers: Map<string, WrittenSummary>;
  readonly #provider: IProvider | undefined;

  private constructor(file: string, answers: Map<string, WrittenSummary>, provider: IProvider | undefined) {
    this.name = provider?.name ?? 'recorded';
    this.#file = file;
    this.#answers = answers;
    this.#provider = provider;
  }

  /**
   * Reads the file; if it does not exist, the first answer creates it.
   * @throws CompressionStrategyError `SUMMARIES_UNREADABLE` if the file is not one of summaries, or is missing without a
   * provider.
   */
  static async open(file: string, provider?: IProvider): Promise<RecordedSummaries> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && provider !== undefined) return '';
      throw unreadable(file, error.message, error);
    });
    const answers = new Map<string, WrittenSummary>();
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (const [index, line] of lines.entries()) {
      const value = jsonOf(line);
      if (value === undefined) continue;
      const recorded = LINE.safeParse(value);
      if (!recorded.success) throw unreadable(file, `entry ${index + 1} is not a recorded summary`);
      const { key, ...answer } = recorded.data;
      answers.set(key, { kind: 'summary', ...answer });
    }
    if (lines.length > 0 && answers.size === 0) throw unreadable(file, 'it contains none');
    return new RecordedSummaries(file, answers, provider);
  }

  async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    request.signal?.throwIfAborted();
    const key = keyOf(request);
    const recorded = this.#answers.get(key);
    if (recorded !== undefined) return recorded;
    if (this.#provider === undefined) {
      const message = `recorded: ${this.#file} contains no answer to this request; name a provider to get one`;
      return { kind: 'failed', failure: 'refused', message };
    }
    const outcome = await this.#provider.summarize(request);
    if (outcome.kind === 'failed') return outcome;
    const { text, isTruncated } = outcome;
    // The leading line end terminates an incomplete line.
    await appendFile(this.#file, `\n${JSON.stringify({ key, text, isTruncated })}\n`, { mode: OWNER_FILE_MODE });
    this.#answers.set(key, { kind: 'summary', text, isTruncated });
    return outcome;
  }
}

function unreadable(file: string, why: string, cause?: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected recorded summaries in ${file}, one JSON object per line, but ${why}. Name another file, or a provider to record from.`,
    'SUMMARIES_UNREADABLE',
    { cause },
  );
}
