import { fstatSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { CompressionStrategyError } from '../../../errors.ts';
import { FileThreads } from '../../../lab/files/file-threads.ts';
import type { WatchQuestion } from '../../../lab/watch/session-watch.ts';
import type { WatchedSession } from '../../../lab/watch/watched-session.ts';
import { copiedWords, money } from '../../../proxy/page/page-words.ts';
import { compact, compactTokens, counted, percent } from '../../../report/figures.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { COUNTER_ROWS } from '../../../strategies/reasons/edit-reason.ts';
import { ThreadUnavailableError } from '../../../threads/unavailable.ts';
import { workerFile } from '../../../threads/worker-file.ts';
import { sessionArgument, sessionPath } from '../../options/session-path.ts';
import { applySettingsOfModels } from '../../options/setting-sources.ts';
import { firstOriginal, newestSessions } from '../../picker/session-by-id.ts';
import { gauge } from '../../terminal/bar.ts';
import { cutStart, widthOf, wrapped } from '../../terminal/columns.ts';
import { printable, type Screen, terminal } from '../../terminal/terminal.ts';
import { fileChanges } from './file-changes.ts';
import { readPipe } from './read-pipe.ts';
import { columnsOf, drawnOver } from './watch-screen.ts';

/** Milliseconds between two searches for a newer session of this folder. */
const NEWER_MS = 10_000;
const SECOND_MS = 1_000;
/** Looking again waits for as many times what looking took. */
const REST_FACTOR = 2;
const BAR_COLUMNS = 20;
const TITLE_COLUMNS = 9;

/** What is shown: the session as it was read last, or why there is none now. */
type Shown = { readonly watched: WatchedSession } | { readonly missing: string };

type WatchThread = FileThreads<WatchQuestion, WatchedSession>;

interface Watching {
  readonly path: string;
  readonly signal: AbortSignal;
  /** Undefined where the user named the session. */
  readonly newer: (() => string | undefined) | undefined;
  show(shown: Shown): Promise<void>;
}

/** True where a program reads the output. */
function isPipe(): boolean {
  const output = fstatSync(process.stdout.fd);
  return output.isFIFO() || output.isSocket();
}

/** When the prompt cache expires, in milliseconds since 1970; undefined where the session has no times. */
const expiryOf = ({ lastCallAt, cache }: WatchedSession): number | undefined =>
  lastCallAt === undefined ? undefined : lastCallAt + cache.lifetimeMs;

/** `3:07`; `1:02:09` from an hour on. */
function countdown(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const padded = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(seconds % 60)}` : `${minutes}:${padded(seconds % 60)}`;
}

const windowWords = ({ promptTokens, windowTokens, isReported }: WatchedSession): string =>
  `${compact(promptTokens)} of ${compactTokens(windowTokens)} (${percent(promptTokens, windowTokens)})${isReported ? '' : ', estimated'}`;

/** What the prompt cache is worth now. */
function cacheWords(watched: WatchedSession, now: number): string {
  const { cache } = watched;
  if (cache.tokens === 0) return 'nothing sent yet';
  const until = expiryOf(watched);
  const worth = cache.dollars > 0 ? `, worth ${money(cache.dollars)}` : '';
  if (until === undefined) return `unknown, the session has no times${worth}`;
  return until > now ? `warm for ${countdown(until - now)}${worth}` : `expired: removing costs nothing now`;
}

/** What the rules would remove. */
function removableWords({ removable: { tokens, rows } }: WatchedSession): string {
  if (rows.length === 0) return 'nothing is stale or repeated';
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const most = [...rows].sort((one, other) => other.tokens - one.tokens)[0]!;
  return `${compactTokens(tokens)} in ${counted(count, 'place')}, most of them ${COUNTER_ROWS[most.rule].what}`;
}

/** What pruning from the start would have made of the session until now. */
function soFarWords({ soFar: { dollars, prunedDollars, regrets } }: WatchedSession): string {
  const bill = dollars > 0 ? `${money(prunedDollars)} instead of ${money(dollars)}, ` : '';
  return `${bill}${counted(regrets, 'regret')}`;
}

/** Follows one session until the signal, or until another one is newer, which it returns. */
async function follow(thread: WatchThread, { path, signal, newer, show }: Watching): Promise<string | undefined> {
  let [tookMs, askedNewerAt] = [0, Date.now()];
  let next: string | undefined;
  let expiry: number | undefined;
  const isOver = (): boolean => {
    if (newer === undefined || Date.now() - askedNewerAt < NEWER_MS) return false;
    askedNewerAt = Date.now();
    next = newer();
    return next !== undefined && next !== path;
  };
  const options = { signal, isOver, lookAgainAt: () => expiry, pauseMs: () => REST_FACTOR * tookMs };
  for await (const change of fileChanges(path, options)) {
    expiry = undefined;
    const startedAt = performance.now();
    const shown = change === 'gone' ? { missing: 'the file is gone; waiting for it' } : await looked(thread, path);
    tookMs = performance.now() - startedAt;
    if (signal.aborted) break;
    if ('watched' in shown) {
      const until = expiryOf(shown.watched);
      // When the cache expires, what would be done changes although the file does not.
      if (until !== undefined && until > Date.now()) expiry = until + SECOND_MS;
    }
    await show(shown);
  }
  return next;
}

async function looked(thread: WatchThread, path: string): Promise<Shown> {
  let shown: Shown = { missing: '' };
  await thread.ask([{ path, now: Date.now() }], (outcome) => {
    if (!('error' in outcome)) shown = { watched: outcome.result };
    // A file that is cut, empty or being written is looked at again after its next change.
    else if (outcome.error instanceof CompressionStrategyError || outcome.error instanceof ThreadUnavailableError)
      shown = { missing: outcome.error.message };
    else throw outcome.error;
  });
  return shown;
}

function linesOf(path: string, shown: Shown, out: Screen): string[] {
  const { bold, dim } = out.colors;
  const width = columnsOf(out);
  const row = (title: string, text: string): string[] =>
    wrapped(printable(text), width - TITLE_COLUMNS)
      .split('\n')
      .map((line, at) => `${dim((at === 0 ? title : '').padEnd(TITLE_COLUMNS))}${line}`);
  const place = printable(pathFromHome(path));
  if ('missing' in shown) return [bold(place), ...row('', shown.missing)];
  const { watched } = shown;
  const { filled, track } = gauge(Math.min(1, watched.promptTokens / watched.windowTokens), BAR_COLUMNS);
  const model = printable(watched.model);
  const calls = `${counted(watched.calls, 'call')} · `;
  const copied = copiedWords(watched.copiedMarkers);
  return [
    `${bold(model)} ${dim(`${calls}${cutStart(place, width - widthOf(`${model} ${calls}`))}`)}`,
    `${dim('window'.padEnd(TITLE_COLUMNS))}${filled}${dim(track)} ${windowWords(watched)}`,
    ...row('cache', cacheWords(watched, Date.now())),
    ...row('would go', removableWords(watched)),
    ...row('now', watched.decision.reason),
    ...(copied === '' ? [] : row('copied', `markers: ${copied}`)),
    ...row('so far', `${soFarWords(watched)}, pruned from the start`),
  ];
}

function plainLine(shown: Shown): string {
  const time = new Date().toLocaleTimeString('en-GB');
  if ('missing' in shown) return `${time}  ${printable(shown.missing)}\n`;
  const { watched } = shown;
  const copied = copiedWords(watched.copiedMarkers);
  const parts = [
    windowWords(watched),
    `cache ${cacheWords(watched, Date.now())}`,
    `would go: ${removableWords(watched)}`,
    watched.decision.reason,
    `so far ${soFarWords(watched)}`,
    ...(copied === '' ? [] : [`copied markers: ${copied}`]),
  ];
  return `${time}  ${parts.map(printable).join(' · ')}\n`;
}

async function watch(named: string | undefined, { json = false }: { json?: boolean }): Promise<void> {
  await applySettingsOfModels();
  const { out } = terminal();
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const thread: WatchThread = new FileThreads(1, workerFile('watch'));
  const draw = out.isLive && !json ? drawnOver(out) : undefined;
  const lines = isPipe() ? readPipe(out, { endOfBlanks: json ? '' : '\n', onGone: stop }) : out;
  let path: string | undefined = await sessionPath(named ?? 'latest');
  let shown: Shown | undefined;
  const newer = (): string | undefined => {
    const { sessions, ofThisFolder } = newestSessions();
    return firstOriginal(sessions.slice(0, ofThisFolder), () => true)?.path;
  };
  const redraw = async (): Promise<void> => {
    if (draw && shown && path !== undefined) await draw(linesOf(path, shown, out));
  };
  try {
    // The time that the cache has left goes down although nothing changes.
    void clockTicks(controller.signal, redraw);
    while (path !== undefined && !controller.signal.aborted) {
      const followed: string = path;
      path = await follow(thread, {
        path: followed,
        signal: controller.signal,
        newer: named === undefined ? newer : undefined,
        async show(now) {
          shown = now;
          if (draw) await redraw();
          else if (json) await lines.print(`${JSON.stringify({ at: Date.now(), path: followed, ...now })}\n`);
          else await lines.print(plainLine(now));
        },
      });
    }
  } finally {
    controller.abort();
    await thread.close();
  }
}

async function clockTicks(signal: AbortSignal, redraw: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await pause(SECOND_MS, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await redraw().catch(() => {});
  }
}

/** `density watch`: what would be removed from a session while its agent writes it. */
export function defineWatch(command: Command): void {
  command.description(
    'Follows a session while its agent writes it, and does not disturb the agent. Shows how full the window is, what the prompt cache is worth and how long it lasts. Shows what would be removed, whether that would be done now, and what the session would have cost with pruning. Without a session it follows the newest session of this folder, and then each newer one. Ctrl-C ends it.',
  );
  sessionArgument(command, 'a session', 'the newest session of this folder')
    .option('--json', 'one JSON object per change')
    .action(watch);
}
