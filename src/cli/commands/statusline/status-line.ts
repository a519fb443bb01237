import { readFileSync, statSync } from 'node:fs';
import { isRecord, readOr } from '../../../content/foreign-value.ts';
import { HOUR_MS } from '../../../durations.ts';
import { cacheRuleOf } from '../../../economics/cache-rules.ts';
import { priceOf, ratesFor } from '../../../economics/prices.ts';
import { money, netWords } from '../../../proxy/page/page-words.ts';
import { RUN_VARIABLE } from '../../../proxy/run-variables.ts';
import { BASIS } from '../../../report/basis-words.ts';
import { compact, fullness, percent } from '../../../report/figures.ts';
import { printable } from '../../terminal/terminal.ts';
import { type LastUsage, lastUsage } from './last-usage.ts';
import { knownRemovableTokens, startCounting } from './removable-tokens.ts';

/** Claude Code's own margin. */
const MARGIN_COLUMNS = 4;

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** How full the window is: as Claude Code says, else by the last call. */
function windowWords(given: Record<string, unknown>, last: LastUsage | undefined): string[] {
  const { total_input_tokens: total, context_window_size: size, used_percentage: used } = given;
  const window = numberOf(size);
  const tokens = numberOf(total) || last?.promptTokens;
  const share = numberOf(used);
  if (window === undefined || (share === undefined && tokens === undefined)) return [];
  return [`${share === undefined ? fullness(tokens ?? 0, window) : `${Math.round(share)}%`} of ${compact(window)}`];
}

/** How long the prompt cache lasts, and what sending that text without it would cost more. */
function cacheWords({ at, promptTokens, isHour }: LastUsage, model: string, now: number): string[] {
  if (at === undefined) return [];
  const until = at + (isHour ? HOUR_MS : cacheRuleOf(model).lifetimeMs);
  if (until <= now) return ['cache expired'];
  const price = priceOf(model, now);
  const { write, writeHour, cachedRead } = ratesFor(price, promptTokens);
  const dollars = (promptTokens * ((isHour ? writeHour : write) - cachedRead)) / 1e6;
  const time = new Date(until).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return [`cache until ${time}${price.match === 'unknown' ? '' : ` (${money(dollars)})`}`];
}

/** What the proxy of a wrapped agent saved. */
function runWords(file: string): string[] {
  const run = recordOf(JSON.parse(readFileSync(file, 'utf8')));
  const isShadow = run['isShadow'] === true;
  const [saved = 0, prompt = 0, net = 0, regrets = 0] = ['savedTokens', 'promptTokens', 'netDollars', 'regrets'].map(
    (name) => numberOf(run[name]),
  );
  const whole = isShadow ? prompt : prompt + saved;
  const left = `${isShadow ? 'would leave out' : 'left out'} ${percent(saved, whole)}`;
  return [
    ...(saved > 0 && prompt > 0 ? [`${left}, ${netWords(net, isShadow)}`] : ['nothing left out yet']),
    ...(regrets > 0 ? [`${regrets} needed again`] : []),
  ];
}

/** What the rules would remove: as counted last, while another process counts what is new. */
function removableWords(session: string, status: { size: number; mtimeMs: number }): string[] {
  const known = knownRemovableTokens(session);
  if (known?.sizeBytes !== status.size || known.mtimeMs !== status.mtimeMs) startCounting(session);
  return known === undefined
    ? []
    : [known.tokens === 0 ? `nothing ${BASIS.now}` : `${compact(known.tokens)} ${BASIS.now}`];
}

/** What cannot be known is left out. */
const attempt = <Found>(find: () => Found): Found | undefined => readOr(find, undefined);

/**
 * One line about the session that Claude Code describes. Never throws. Reads the end of the transcript, and one small file.
 * Source: https://code.claude.com/docs/en/statusline
 */
export function statusLine(
  given: unknown,
  { environment, now }: { readonly environment: NodeJS.ProcessEnv; readonly now: number },
): string {
  const { transcript_path: transcript, model: named, context_window: window } = recordOf(given);
  const session = typeof transcript === 'string' ? transcript : '';
  const status = attempt(() => (session === '' ? undefined : statSync(session)));
  const last = attempt(() => status && lastUsage(session, status.size));
  const model = last?.model ?? String(recordOf(named)['id'] ?? '');
  const run = environment[RUN_VARIABLE];
  const parts = [
    attempt(() => windowWords(recordOf(window), last)),
    attempt(() => last && cacheWords(last, model, now)),
    attempt(() => (run ? runWords(run) : status && removableWords(session, status))),
  ].flatMap((words) => words ?? []);
  const line = printable(['density', ...parts].join(' · '));
  const columns = Number(environment['COLUMNS']) - MARGIN_COLUMNS;
  return columns > 0 && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}
