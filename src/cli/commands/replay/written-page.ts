import path from 'node:path';
import { fileStatus } from '../../../disk/file-status.ts';
import type { Session } from '../../../formats/contract.ts';
import type { SummarizerAccess } from '../../../gate/options.ts';
import { Worths } from '../../../lab/played/worths.ts';
import { RemovalLedger } from '../../../replay/ledger/ledger.ts';
import { TurnIndex } from '../../../replay/ledger/turn-index.ts';
import type { ReplayTurn } from '../../../replay/result.ts';
import { layersFor, NO_STRATEGY } from '../../../replay/strategy-layers.ts';
import { byteSize } from '../../../report/figures.ts';
import { reportPage } from '../../../report/page.ts';
import type { PlayedStrategy, SessionReport } from '../../../report/session-report.ts';
import { withCopied } from '../../../sessions/copies/copied-calls.ts';
import { firstTyped } from '../../../sessions/places/first-message.ts';
import { optimizeConfig } from '../../../sessions/prunable.ts';
import { inspectionOf } from '../../../sessions/session-inspection.ts';
import { createEphemerals, resolveSetting, type SettingLayers } from '../../../settings/resolve.ts';
import { COMPRESSION_STRATEGIES } from '../../../strategies/contract.ts';
import { copiedHere } from '../../options/copies/copied-here.ts';
import { namedSessions } from '../../options/named-sessions.ts';
import { modelOf, openSession, type ReadOptions, type SessionFile } from '../../options/session-file.ts';
import { LATEST, sessionPath } from '../../options/session-path.ts';
import { STRATEGIES_WITHOUT_MODEL } from '../../options/strategies.ts';
import { toolsInForce, unknownToolsText } from '../../options/tools-in-force.ts';
import { printNext } from '../../output/next-step.ts';
import { openingLine, openPage } from '../../output/opened-page.ts';
import { outputTarget, reportScreen } from '../../output/output-target.ts';
import { packageVersion } from '../../output/package-version.ts';
import { hiddenNote, type RedactOptions, redactorOf } from '../../output/redaction.ts';
import { writeOutput } from '../../output/written-session.ts';
import { startProgress } from '../../terminal/progress.ts';
import { UsageError } from '../../terminal/terminal.ts';
import { worthRecord } from './play/printed-play.ts';
import { playStrategy } from './play/strategy-play.ts';

export interface PageOptions extends ReadOptions, RedactOptions {
  readonly output?: string;
  readonly force?: boolean;
  /** Without an output the page gets its usual name. */
  readonly open?: boolean;
  readonly json?: boolean;
}

const PAGE_NAME = 'replay.html';

/** Rows of the ledger at most. */
const ROWS_AT_MOST = 250;

interface Play {
  readonly strategies: readonly string[];
  /** The strategy whose removals are recorded. */
  readonly chosen: string;
  readonly model: string;
  readonly layers: SettingLayers;
  readonly summarizer: SummarizerAccess | undefined;
}

/** Plays the session under each strategy, one after the other. */
async function played(opened: SessionFile, { strategies, chosen, model, layers, summarizer }: Play) {
  const { session, format } = opened;
  const vocabulary = toolsInForce(format.vocabulary, createEphemerals(layers, { model }));
  const engine = resolveSetting(layers, 'compression.engine');
  const turns = await TurnIndex.of(session);
  const ledger = new RemovalLedger({ turns, vocabulary }, { rowsAtMost: ROWS_AT_MOST });
  const progress = startProgress('replaying', session.events.length * strategies.length);
  const worths = new Worths(engine);
  const all: PlayedStrategy[] = [];
  try {
    for (const [index, strategy] of strategies.entries()) {
      const ephemerals = createEphemerals(layersFor(strategy, layers), { model });
      const calls: ReplayTurn[] = [];
      const eventsBefore = index * session.events.length;
      const { result, worth } = await playStrategy(
        opened,
        { strategy, model, engine, ephemerals, summarizer, progress, eventsBefore },
        { worthOf: worths.of, onTurn: (turn) => calls.push(turn), ...(strategy === chosen && { ledger }) },
      );
      const thresholdTokens = ephemerals.compressionThreshold() * ephemerals.contextLimit();
      all.push({ result, turns: calls, ...(worth && { worth, thresholdTokens }) });
    }
  } finally {
    progress.stop();
    await worths.close();
  }
  return { all, ledger: ledger.record() };
}

/** Of the first message; the start of a sentence. */
const MAX_CHARS = 80;

/** The day of the first entry that has a time, in UTC. */
function dayOf({ events }: Session): string | undefined {
  const times = events.map((event) => (event.kind === 'add' ? event.content.metadata?.timestamp : undefined));
  const first = times.find((at) => at !== undefined);
  return first === undefined ? undefined : new Date(first).toISOString().slice(0, 10);
}

const shortened = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).trimEnd()}…` : text);

/** What a person knows a session by: its project, its day and its first message, as far as they are recorded; else the name of the file. */
export function reportTitle(session: Session, file: string): string {
  const { workspaceRoot } = session;
  const message = firstTyped(session);
  const parts = [workspaceRoot && path.basename(workspaceRoot), dayOf(session), message && shortened(message)].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.length === 0 ? path.basename(file) : parts.join(' · ');
}

/** What is played for the page: `chosen` is the strategy whose removals it lists. */
type Asked = Pick<Play, 'chosen' | 'layers' | 'summarizer'>;

/**
 * Plays one session under every strategy and writes one HTML page that needs no other file: the context over model calls under
 * each strategy, what fills it, what was removed, when and why, and how long the main thread was blocked.
 * @throws UsageError for several sessions; what `openSession` and `outputTarget` throw.
 */
export async function writePage(
  names: readonly string[],
  { chosen, layers, summarizer }: Asked,
  options: PageOptions,
): Promise<void> {
  const [named = LATEST, ...others] = names;
  const file = await sessionPath(named);
  if (others.length > 0 || fileStatus(file)?.isDirectory())
    throw new UsageError('Expected one session for a page of `replay`. `density compare --open` draws several.');
  const { output = PAGE_NAME } = options;
  const read = await openSession(file, options.format);
  const copied = await copiedHere(namedSessions([file]));
  const opened = { ...read, session: withCopied(read.session, copied?.get(file)) };
  const target = outputTarget(output, opened.bytes, options.force ?? false);
  const { session, format, sizeBytes } = opened;
  const inspection = inspectionOf(opened, {
    model: options.model,
    optimize: optimizeConfig(createEphemerals(layers, { model: options.model ?? 'unknown' })),
  });
  const playable = summarizer === undefined ? STRATEGIES_WITHOUT_MODEL : COMPRESSION_STRATEGIES;
  const strategies = [...new Set([NO_STRATEGY, ...playable, chosen])];
  const model = modelOf(options.model, session.model);
  const { all, ledger } = await played(opened, { strategies, chosen, model, layers, summarizer });
  const [first, ...rest] = all;
  if (first === undefined) return;
  const redactor = redactorOf(options);
  const facts: SessionReport = {
    title: reportTitle(session, file),
    fileName: path.basename(file),
    formatTitle: format.title,
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(session.workspaceRoot !== undefined && { workspaceRoot: session.workspaceRoot }),
    skippedLines: session.skipped.length,
    played: [first, ...rest],
    chosen: all.find(({ result }) => result.strategy === chosen) ?? first,
    inspection,
    ledger,
    ...(redactor && { redactor }),
    version: packageVersion(),
    madeOn: new Date().toISOString().slice(0, 10),
  };
  const page = new TextEncoder().encode(reportPage(facts));
  await writeOutput(target, [page]);
  const screen = reportScreen(target);
  const { dim } = screen.colors;
  if (options.json) {
    const results = all.map(({ result: { notices: _, ...result }, worth }) => ({
      ...result,
      ...(worth && worthRecord(worth)),
    }));
    const written = { output, sizeBytes: page.length, secretsHidden: redactor?.hidden ?? null };
    const { unknownTools } = inspection;
    await screen.print(`${JSON.stringify({ file, format: format.name, ...written, unknownTools, results })}\n`);
  } else {
    const written =
      target.kind === 'stdout' ? '' : `${dim('written to')} ${output} ${dim(`(${byteSize(page.length)})`)}\n`;
    const unsure = unknownToolsText(inspection.unknownTools);
    await screen.print(`${unsure === '' ? '' : `${dim(unsure)}\n`}${written}${hiddenNote(redactor)}\n`);
  }
  if (target.kind !== 'file') return;
  if (options.open) await openPage(target.path);
  else if (!options.json) await printNext(openingLine(output));
}
