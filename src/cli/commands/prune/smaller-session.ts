import type { IContent } from '../../../content/content.ts';
import { unknownTools } from '../../../content/tools/unknown-tools.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { joinLines } from '../../../formats/lines/lines.ts';
import { brokenPairs } from '../../../replay/broken-pairs.ts';
import { perRule } from '../../../replay/result.ts';
import type { WrittenCopy } from '../../../sessions/copies/written-copy.ts';
import { fileUndo } from '../../../sessions/file-undo.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import type { Rewritten } from '../../../sessions/rewritten.ts';
import { createEphemerals, resolveSetting } from '../../../settings/resolve.ts';
import { modelOf, rewrittenFile, type SessionFile } from '../../options/session-file.ts';
import { sessionPath } from '../../options/session-path.ts';
import { settingsOf } from '../../options/setting-options.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { summarizerOf } from '../../options/summarizer.ts';
import { toolsInForce } from '../../options/tools-in-force.ts';
import {
  assertQuiet,
  type Installation,
  installationOf,
  placeOf,
  sameInstallation,
} from '../../output/installation.ts';
import { commandName, extensionOf, printNext } from '../../output/next-step.ts';
import { type OutputTarget, reportScreen } from '../../output/output-target.ts';
import { keepRemoved } from '../../output/removed-archive.ts';
import { pendingTranscript, transcriptPath } from '../../output/transcript.ts';
import { importNote, openForWriting, pendingCompanion, writeOutput } from '../../output/written-session.ts';
import { quoted, terminal, UsageError } from '../../terminal/terminal.ts';
import { certificatesOf } from './certificates.ts';
import type { OptimizeOptions } from './optimize-options.ts';
import { smallerContext } from './smaller-context.ts';
import { smallerReport } from './smaller-report.ts';

interface Written {
  readonly after: readonly IContent[];
  /** The path of the transcript. */
  readonly path: string;
  readonly now: Date;
  readonly installation: Installation | undefined;
  /** The session with `after`, if it is known. */
  readonly rewrote?: Rewritten | undefined;
}

/** Writes the session and its removed entries; both files appear complete or not at all. */
export async function write(
  opened: SessionFile,
  target: OutputTarget,
  { after, path, now, installation, rewrote }: Written,
): Promise<{ readonly isTranscript: boolean; readonly sizeBytes: number }> {
  const before = liveHistory(opened.recorded);
  const { step, pieces } = rewrote ?? (await rewrittenFile(opened, after));
  const written = (parts: Iterable<Uint8Array>) => installation?.named(parts) ?? joinLines(parts);
  const bytes = written(pieces);
  const file = fileUndo(written(opened.bytes.chunks()), bytes);
  const installed = installation && { id: installation.id, source: installation.source };
  const run = { before, after, step: { ...step, file }, source: opened, now, installed };
  const transcript = pendingTranscript(path, run);
  if (installation !== undefined) assertQuiet(opened);
  await writeOutput(
    target,
    [bytes],
    [transcript, await pendingCompanion(opened, target, { lines: opened.lines, history: after })],
  );
  return { isTranscript: transcript !== undefined, sizeBytes: bytes.length };
}

/** The line that installs the result; for an agent whose way is not known, one that writes a file, or looks at it. */
function nextCommand(
  opened: SessionFile,
  { options, now }: { readonly options: OptimizeOptions; readonly now: Date },
): string {
  const { path: file } = opened.bytes;
  const { strategy, model } = options;
  const line = [
    `density optimize ${commandName(file)}`,
    ...(strategy === undefined ? [] : [`--strategy ${strategy}`]),
    ...(model === undefined ? [] : [`--model ${quoted(model.text)}`]),
  ].join(' ');
  try {
    installationOf(opened, now);
    return `${line} --install`;
  } catch (error) {
    if (!(error instanceof CompressionStrategyError)) throw error;
    const { output } = options;
    return output === undefined ? `${line} -o smaller${extensionOf(file)}` : `density inspect ${quoted(output)}`;
  }
}

/**
 * Writes a smaller session and its removed entries, and prints a report: on standard error if the session is written to
 * standard output.
 * @throws CompressionStrategyError if it cannot be read, made smaller or written; no file remains then.
 */
export async function writeSmaller(named: string | undefined, options: OptimizeOptions): Promise<void> {
  const compress = options.strategy !== undefined;
  const layers = await layersInForce(settingsOf({ ...options }));
  const places = [options.output, options.install, options.dryRun].filter((place) => place !== undefined).length;
  /** On a terminal, a run without a place for the result only shows what it would be. */
  const isTrial = options.dryRun ?? (places === 0 && terminal().out.isLive);
  if (places > 1 || (places === 0 && !isTrial)) {
    throw new UsageError(
      "Expected one place for the result, the required option '-o, --output <file>' or --install, which puts it where the agent finds it; --dry-run writes nothing.",
    );
  }
  const { model: asked, baseUrl, summaries } = options;
  if (isTrial && asked !== undefined) {
    throw new UsageError(
      'Expected -o <file> or --install with --model: what the model would write is not known before it is asked.',
    );
  }
  const file = await sessionPath(named);
  const now = new Date();
  let installation: Installation | undefined;
  const place = (session: SessionFile): string => {
    if (options.output !== undefined) return options.output;
    if (isTrial) return '-';
    installation = installationOf(session, now);
    return placeOf(installation);
  };
  const { opened, target } = await openForWriting(file, { ...options, output: place });
  const before = liveHistory(opened.session);
  const model = modelOf(options.countedAs, opened.session.model);
  const ephemerals = createEphemerals(layers, { model });
  const engine = resolveSetting(layers, 'compression.engine');
  const summarizer = await summarizerOf({ provider: asked?.provider, summaryModel: asked?.name, baseUrl, summaries });
  const path = transcriptPath(target, { source: opened, now, isInstalled: installation !== undefined });
  const unknown = unknownTools(before, toolsInForce(opened.format.vocabulary, ephemerals));
  const work = { before, model, engine, ephemerals, compress, summarizer, transcriptPath: path };
  const made = await smallerContext(opened, work);
  const isChanged = made.history.length !== before.length || made.history.some((entry, at) => entry !== before[at]);
  if (installation !== undefined && !isChanged) {
    const nothing = 'Nothing was removed, so nothing was installed.';
    const { out } = terminal();
    return out.print(options.json ? `${JSON.stringify({ file, output: null, removed: {} })}\n` : `${nothing}\n`);
  }
  let rewrote: Rewritten | undefined;
  let known: WrittenCopy | undefined;
  if (installation !== undefined) {
    rewrote = await rewrittenFile(opened, made.history);
    ({ installation, known } = sameInstallation(opened, { own: installation, step: rewrote.step, now }));
  }
  const output = installation?.path ?? options.output ?? '-';
  let transcript = known?.transcript;
  let sizeBytes = known && fileStatus(known.path)?.size;
  if (!isTrial && known === undefined) {
    await keepRemoved({ before, after: made.history, layers });
    const written = await write(opened, target, { after: made.history, path, now, installation, rewrote });
    transcript = written.isTranscript ? path : undefined;
    sizeBytes = written.sizeBytes;
  }
  const screen = isTrial ? terminal().out : reportScreen(target);
  if (!options.json) {
    // A path that the user did not type is long.
    const shown = installation === undefined ? (file: string) => file : pathFromHome;
    await screen.print(
      smallerReport(opened, made, {
        output: shown(output),
        isKnown: known !== undefined,
        model,
        contextLimit: ephemerals.contextLimit(),
        unknown,
        screen,
        transcript: transcript && pathFromHome(transcript),
        now,
        sizeBytes,
      }),
    );
    if (isTrial) await terminal().out.print('Nothing was written.\n');
    const next = installation?.resume ?? importNote(opened, output) ?? nextCommand(opened, { options, now });
    if (isChanged && options.output !== '-') await printNext(next);
    return;
  }
  const { format, session } = opened;
  await screen.print(
    `${JSON.stringify({
      file,
      output: isTrial ? null : output,
      ...(installation && { resume: installation.resume }),
      format: format.name,
      entries: before.length,
      entriesAfter: made.history.length,
      tokens: made.tokensBefore,
      tokensAfter: made.tokensAfter,
      removed: perRule(made.removals, 'count'),
      removedTokens: perRule(made.removals, 'tokens'),
      pairsBroken: brokenPairs(before, made.history),
      transcript: transcript ?? null,
      skippedLines: session.skipped.length,
      unknownTools: unknown,
      ...(options.certificate && { certificates: certificatesOf(opened, made, work) }),
    })}\n`,
  );
}
