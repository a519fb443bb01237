import { append } from '../../../../content/append.ts';
import { formatNamed } from '../../../../formats/index.ts';
import type { FileQuestion } from '../../../../lab/files/file-answers.ts';
import type { PlayedFile, PlayQuestion } from '../../../../lab/files/played-file.ts';
import type { ReplayResult } from '../../../../replay/result.ts';
import { NO_STRATEGY } from '../../../../replay/strategy-layers.ts';
import { getCompressionStrategy } from '../../../../strategies/index.ts';
import { askedFiles } from '../../../options/asked-files.ts';
import { namedSessions } from '../../../options/named-sessions.ts';
import { latestSession, onFileAnswers, type RedisOption } from '../../../options/on-file-answers.ts';
import type { SessionFacts } from '../../../options/session-file.ts';
import { UsageError } from '../../../terminal/terminal.ts';
import { turnPrinter } from '../replay-turns.ts';
import type { ReplayedSession } from '../replayed-session.ts';
import type { AskedPlay, PlayOptions } from './played-here.ts';
import { printedPlay } from './printed-play.ts';

/**
 * Plays the named sessions on the workers of a Redis server; prints what `playedHere` prints, in the same order.
 * @throws UsageError for a strategy that asks a model: workers ask none.
 */
export async function* playedElsewhere(
  names: readonly string[],
  { strategies, layers, summarizer, options }: AskedPlay & { readonly options: PlayOptions & RedisOption },
): AsyncGenerator<ReplayedSession> {
  const asksModel = (name: string): boolean => name !== NO_STRATEGY && getCompressionStrategy(name).requiresLLM;
  if (strategies.some(asksModel) || summarizer !== undefined)
    throw new UsageError('Expected a strategy that asks no model with --redis: workers ask none.');
  const { model, format } = options;
  const question = (file: FileQuestion): PlayQuestion => ({
    ...file,
    strategies,
    settings: layers,
    ...(model !== undefined && { model }),
    ...(format !== undefined && { format: format.name }),
  });
  const all: PlayedFile[] = [];
  await onFileAnswers<PlayQuestion, PlayedFile>(
    'replay',
    { ...options, names, unnamed: latestSession },
    async (sessions, threads) => {
      const { results } = await askedFiles(sessions, {
        threads,
        label: 'replaying',
        question,
        countsCalls: true,
      });
      const byPath = new Map(results.map((played) => [played.path, played]));
      // A session that is named twice is shown twice.
      const paths = sessions.named.flatMap((name) => namedSessions([name]).files);
      append(
        all,
        paths.flatMap((path) => byPath.get(path) ?? []),
      );
    },
  );
  for (const played of all) yield printedSession(played, options);
}

async function printedSession(played: PlayedFile, options: PlayOptions): Promise<ReplayedSession> {
  const { path: name, format, skipped, readMs, sizeBytes, unknownTools, plays, tookMs } = played;
  const source: SessionFacts = { name, format: formatNamed(format), session: { skipped }, readMs, sizeBytes };
  const results: ReplayResult[] = [];
  for (const { turns, ...play } of plays) {
    if (options.turns) {
      const { strategy, contextLimit } = play.result;
      const printer = turnPrinter({ file: name, strategy, contextLimit, json: options.json });
      for (const turn of turns) printer.print(turn);
      await printer.done();
    }
    results.push(await printedPlay({ ...play, source, unknownTools }, options));
  }
  const worths = plays.map(({ worth }) => worth);
  return { source, results, worths, unknownTools, engineStats: plays.map(({ stats }) => stats), tookMs };
}
