import path from 'node:path';
import { byteSize, counted, fullness, grouped } from '../../report/figures.ts';
import type { ContextSize } from '../../sessions/context-size.ts';
import { familyOfModel } from '../../tokens/models.ts';
import { cutEnd, cutStart, widthOf, wrapped } from '../terminal/columns.ts';
import { printable, type Screen } from '../terminal/terminal.ts';
import type { SessionFacts } from './session-file.ts';

function countingOf(model: string, { isReported, isDerived }: Heading['context']): string {
  if (isReported) return 'counted by the provider';
  const family = familyOfModel(model);
  if (family === 'o200k' || family === 'cl100k') return isDerived ? 'estimated' : 'counted exactly';
  return family === 'unknown' ? 'estimated, unknown model' : 'estimated';
}

interface Heading {
  readonly model: string;
  readonly contextLimit: number;
  readonly context: Omit<ContextSize, 'unrecordedTokens'>;
  readonly entries: number;
  readonly screen: Screen;
}

const SHORTENED =
  'Results were sent in shorter forms than are recorded here, as by a proxy; which forms is not known on this computer. Sizes and bills by the recorded text are too high.';

const CONTRADICTED =
  'The last call reports usage that cannot be: far more or far fewer tokens than its text has. It is not used.';

/** The lines above a report: file, format, size, model, how full its window is, and what of the file does not count as it is. */
export function sessionHeading(
  source: SessionFacts,
  { model, contextLimit, context, entries, screen }: Heading,
): string {
  const { name, sizeBytes, format } = source;
  const { tokens, isShortened, isContradicted } = context;
  const { bold, dim, yellow } = screen.colors;
  const title = cutStart(printable(path.basename(name)), screen.columns);
  const size = sizeBytes === undefined ? [] : [byteSize(sizeBytes)];
  const facts = wrapped([format.title, ...size, counted(entries, 'entry', 'entries')].join(', '), screen.columns);
  const amount = counted(tokens, 'token');
  const filled = wrapped(
    `${amount}, ${fullness(tokens, contextLimit)} of a window of ${grouped(contextLimit)}`,
    screen.columns,
  );
  const how = countingOf(model, context);
  const short = cutEnd(printable(model), Math.max(8, screen.columns - widthOf(`(, ${how})`)));
  const counting = wrapped(`(${short}, ${how})`, screen.columns);
  const fits = widthOf(`${filled} ${counting}`) <= screen.columns;
  const notes = [...(isShortened ? [SHORTENED] : []), ...(isContradicted ? [CONTRADICTED] : [])];
  const note = notes.map((text) => `${yellow(wrapped(text, screen.columns))}\n`).join('');
  return `${bold(title)}\n${dim(facts)}\n${filled.replace(amount, bold)}${fits ? ' ' : '\n'}${dim(counting)}\n${note}${skippedNote(source, screen)}`;
}

/** How many lines were skipped and why the first one was; empty if none. */
export function skippedNote({ session }: SessionFacts, screen: Screen): string {
  const [first] = session.skipped;
  if (first === undefined) return '';
  const many = counted(session.skipped.length, 'line was', 'lines were');
  const said = wrapped(`${many} skipped; line ${first.line}: ${printable(first.reason)}`, screen.columns);
  return `${screen.colors.yellow(said)}\n`;
}
