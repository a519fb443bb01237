import path from 'node:path';
import { byteSize, counted, grouped, percent } from '../../report/figures.ts';
import { familyOfModel } from '../../tokens/models.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/terminal.ts';
import { cutEnd, cutStart, widthOf } from '../terminal/text-width.ts';
import type { SessionFacts } from './session-file.ts';

/** The model that sets tokenizer and window: the option, else the recorded model, else `unknown`. */
export const modelOf = (asked: string | undefined, recorded: string | undefined): string =>
  asked ?? recorded ?? 'unknown';

function countingOf(model: string): string {
  const family = familyOfModel(model);
  if (family === 'o200k' || family === 'cl100k') return 'counted exactly';
  return family === 'unknown' ? 'estimated, unknown model' : 'estimated';
}

interface Heading {
  readonly model: string;
  readonly contextLimit: number;
  readonly tokens: number;
  /** How the tokens were counted; absent: by our tokenizer of the model. */
  readonly counting?: string | undefined;
  readonly entries: number;
  readonly screen: Screen;
}

/** The lines above a report: file, format, size, model, and how full its window is. */
export function sessionHeading(
  { name, sizeBytes, format }: SessionFacts,
  { model, contextLimit, tokens, counting: how = countingOf(model), entries, screen }: Heading,
): string {
  const { bold, dim } = screen.colors;
  const title = cutStart(printable(path.basename(name)), screen.columns);
  const size = sizeBytes === undefined ? [] : [byteSize(sizeBytes)];
  const facts = [format.title, ...size, counted(entries, 'entry', 'entries')].join(', ');
  const amount = `${counted(tokens, 'token')}`;
  const share = `, ${percent(tokens, contextLimit)} of a window of ${grouped(contextLimit)}`;
  const counting = cutEnd(`(${printable(model)}, ${how})`, screen.columns);
  const fits = widthOf(`${amount}${share} ${counting}`) <= screen.columns;
  return `${bold(title)}\n${dim(facts)}\n${bold(amount)}${share}${fits ? ' ' : '\n'}${dim(counting)}\n`;
}

/** How many lines were skipped and why the first one was; empty if none. */
export function skippedNote({ session }: SessionFacts, screen: Screen): string {
  const [first] = session.skipped;
  if (first === undefined) return '';
  const many = counted(session.skipped.length, 'line was', 'lines were');
  return screen.colors.yellow(`${many} skipped; line ${first.line}: ${printable(first.reason)}\n`);
}
