import type { ChatStatus } from '../../../chat/conversation.ts';
import type { CallUsage } from '../../../chat/session/chat-session.ts';
import { compact, compactTokens, percent } from '../../../report/figures.ts';
import { gauge } from '../../terminal/bar.ts';
import { cutEnd, widthOf } from '../../terminal/columns.ts';
import { printable } from '../../terminal/terminal.ts';
import { gateLine } from './gate-line.ts';

/** `last call: 12.3k in (11.0k cached) + 210 out = 12.5k tokens; counted 12.4k`; '' if the provider reported nothing. */
export function usageLine(usage: CallUsage | undefined, columns: number): string {
  if (usage === undefined) return '';
  const { promptTokens, completionTokens, totalTokens, cachedTokens, countedTokens } = usage;
  const cached = cachedTokens === undefined ? '' : ` (${compact(cachedTokens)} cached)`;
  const line = `last call: ${compact(promptTokens)} in${cached} + ${compact(completionTokens)} out = ${compactTokens(totalTokens)}; counted ${compact(countedTokens)}`;
  return cutEnd(line, columns);
}

/** The parts of the status line, in order. `bar` is separate because it has its own colour. */
export interface StatusLine {
  readonly before: string;
  readonly bar: string;
  readonly after: string;
  /** `near`: 90% of the threshold. */
  readonly level: 'low' | 'near' | 'reached';
}

const BAR_COLUMNS = { wide: 10, narrow: 5 } as const;
const SEPARATOR = ' · ';

function engineOf({ engine, isDegraded }: ChatStatus): string {
  if (engine === 'inline') return 'inline';
  return isDegraded ? 'main thread, threads lost' : 'threads';
}

/**
 * `model · 12.3k of 400k ███░░░ 3% · strategy · what the last gate run did · engine`, in at most `columns` columns.
 * To fit, it shortens first the bar, then the gate's part, then the name of the model.
 */
export function statusLine(status: ChatStatus, columns: number): StatusLine {
  const { tokens, limitTokens, thresholdRatio, loadedShare } = status;
  const share = tokens / limitTokens;
  const density = status.lastGate?.density;
  const unpruned = density?.kind === 'waiting' ? `${compactTokens(density.waitingTokens)} wait` : 'nothing pruned';
  const gate = loadedShare === undefined ? unpruned : `reading ${percent(loadedShare, 1)}`;
  const last = loadedShare === undefined && status.lastGate ? (gateLine(status.lastGate) ?? gate) : gate;
  const sizes = `${compact(tokens)} of ${compact(limitTokens)} `;
  const rest = ` ${percent(tokens, limitTokens)}${SEPARATOR}${status.strategy}${SEPARATOR}`;
  const engine = `${SEPARATOR}${engineOf(status)}`;
  const words = widthOf(sizes + rest + engine) + SEPARATOR.length;
  const whole = printable(status.model);
  const isRoomy = words + BAR_COLUMNS.wide + widthOf(whole) + widthOf(last) <= columns;
  const { filled, track } = gauge(share, isRoomy ? BAR_COLUMNS.wide : BAR_COLUMNS.narrow);
  const bar = filled + track;
  const fixed = words + widthOf(bar);
  const model = cutEnd(whole, Math.max(6, columns - fixed - Math.min(widthOf(last), 12)));
  const room = columns - fixed - widthOf(model);
  const after = room >= 6 ? rest + cutEnd(last, room) + engine : rest.slice(0, -SEPARATOR.length) + engine;
  const reached = share >= thresholdRatio ? 'reached' : share >= thresholdRatio * 0.9 ? 'near' : 'low';
  return { before: `${model}${SEPARATOR}${sizes}`, bar, after, level: reached };
}
