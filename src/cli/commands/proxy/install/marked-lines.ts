import { CompressionStrategyError } from '../../../../errors.ts';

/** What installing did beside adding its lines, so that they can be taken out byte for byte. */
const MADE_FILE = 'made this file';
const ENDED_LINE = 'ended the line above';

const MARK = /^# (?:>>>|<<<) density wrap (\S+) (>>>|<<<)(?: \(([\w ]+)\))?\r?$/gm;
/** At the start of what follows: the lines of another agent, which did nothing beside. */
const NEXT_BLOCK = /^# >>> density wrap \S+ >>>(?=\r?\n)/;

interface Block {
  readonly before: string;
  readonly note: string | undefined;
  readonly after: string;
}

/** What is around the lines of an agent; undefined if there are none. @throws CompressionStrategyError `OUTPUT_FAILED` if the marks are not one pair */
function blockIn(text: string, agent: string): Block | undefined {
  const marks = [...text.matchAll(MARK)].filter(([, name]) => name === agent);
  const [start, end] = marks;
  if (start === undefined) return undefined;
  if (marks.length !== 2 || end === undefined || start[2] !== '>>>' || end[2] !== '<<<') {
    const lines = marks.map(({ index }) => text.slice(0, index).split('\n').length).join(', ');
    throw new CompressionStrategyError(
      `Expected one pair of marks of \`density wrap --install ${agent}\`, got marks in line ${lines}. Remove what is not needed by hand.`,
      'OUTPUT_FAILED',
    );
  }
  const ending = text.indexOf('\n', end.index);
  const after = ending === -1 ? '' : text.slice(ending + 1);
  return { before: text.slice(0, start.index), note: start[3], after };
}

/** The text of a start file with these lines between the marks of an agent, at its end or where they were. `undefined`: there is no file. @throws as `withoutLines` */
export function withLines(text: string | undefined, agent: string, lines: readonly string[]): string {
  const block = text === undefined ? undefined : blockIn(text, agent);
  const isOpen = text !== undefined && text !== '' && !text.endsWith('\n');
  const newNote = text === undefined ? MADE_FILE : isOpen ? ENDED_LINE : undefined;
  const { before, note, after } = block ?? { before: `${text ?? ''}${isOpen ? '\n' : ''}`, note: newNote, after: '' };
  const start = `# >>> density wrap ${agent} >>>${note === undefined ? '' : ` (${note})`}`;
  return `${before}${[start, ...lines, `# <<< density wrap ${agent} <<<`].join('\n')}\n${after}`;
}

/**
 * The text of a start file as it was before `withLines`, with all that was changed around the lines since; undefined if the file is to be
 * deleted. The text itself if there are no such lines.
 * @throws CompressionStrategyError `OUTPUT_FAILED` if the marks are not one pair
 */
export function withoutLines(text: string, agent: string): string | undefined {
  const block = blockIn(text, agent);
  if (block === undefined) return text;
  const { before, note, after } = block;
  if (note !== undefined && NEXT_BLOCK.test(after)) return before + after.replace(NEXT_BLOCK, `$& (${note})`);
  if (after !== '') return before + after;
  if (note === MADE_FILE && before === '') return undefined;
  return note === ENDED_LINE ? before.replace(/\n$/, '') : before;
}
