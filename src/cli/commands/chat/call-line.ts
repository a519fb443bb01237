import type { ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { keyParameter } from '../../../content/files/key-parameter.ts';
import { oneLine } from '../../../content/lines/one-line.ts';
import { llxprt } from '../../../content/vocabularies/llxprt.ts';
import { counted, duration } from '../../../report/figures.ts';
import { printable } from '../../terminal/printable.ts';
import { cutEnd } from '../../terminal/text-width.ts';

/** The name and key parameter of a call: `read_file src/a.ts`. */
export function callTitle(call: ToolCallBlock): string {
  const key = keyParameter(call, llxprt);
  return printable(key === undefined ? call.name : `${call.name} ${key}`);
}

const LEAST_SHOWN_MS = 1_000;
const ERROR_CHARS = 200;

/** A call and its outcome in one line of at most `columns`. */
export function callLine(
  call: ToolCallBlock,
  { response, tookMs, columns }: { response: ToolResponseBlock; tookMs: number; columns: number },
): string {
  const took = tookMs >= LEAST_SHOWN_MS ? `, ${duration(tookMs)}` : '';
  const result = typeof response.result === 'string' ? response.result : '';
  const lines = result === '' ? 0 : result.trimEnd().split('\n').length;
  const outcome =
    response.error === undefined ? counted(lines, 'line') : printable(oneLine(response.error, ERROR_CHARS));
  const symbol = response.error === undefined ? '✓' : '✗';
  return cutEnd(`${symbol} ${callTitle(call)} — ${outcome}${took}`, columns);
}
