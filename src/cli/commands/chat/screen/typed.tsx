import { Text } from 'ink';
import type { ReactNode } from 'react';
import { cutEnd, padded } from '../../../terminal/text-width.ts';
import type { EditedLine } from '../input/line-editor.ts';
import { slashMenu } from '../input/slash-menu.ts';

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Rows of the menu; it scrolls. */
const MENU_ROWS = 8;
const MENU_INDENT = 2;

/** The input line with an inverted cursor. */
export function Typed({
  line: { text, cursor },
  shown,
}: {
  readonly line: EditedLine;
  readonly shown: (text: string) => string;
}): ReactNode {
  const [next] = SEGMENTS.segment(text.slice(cursor));
  const under = next?.segment ?? ' ';
  const isAtLineEnd = under === '\n';
  return (
    <Text>
      {shown(text.slice(0, cursor))}
      <Text inverse>{isAtLineEnd ? ' ' : shown(under)}</Text>
      {shown(isAtLineEnd ? text.slice(cursor) : text.slice(cursor + under.length))}
    </Text>
  );
}

/** The commands that the line may begin, the chosen one marked, and how many there are. */
export function Menu({
  line,
  chosen,
  columns,
}: {
  readonly line: string;
  readonly chosen: number;
  readonly columns: number;
}): ReactNode {
  const menu = slashMenu(line);
  if (menu === undefined) return null;
  const { fitting, total } = menu;
  const from = Math.max(0, Math.min(chosen - MENU_ROWS + 1, fitting.length - MENU_ROWS));
  const rows = fitting.slice(from, from + MENU_ROWS).map(({ name, usage, help }) => [`/${name} ${usage}`.trim(), help]);
  const width = Math.min(Math.max(...rows.map(([command = '']) => command.length)), Math.floor(columns / 2));
  const count = fitting.length === total ? `${total} commands` : `${fitting.length} of ${total} commands`;
  return (
    <>
      {rows.map(([command = '', help = ''], at) => {
        const text = `${padded(cutEnd(command, width), width)}  ${help}`;
        return (
          <Text key={command} inverse={from + at === chosen} wrap="truncate">
            {' '.repeat(MENU_INDENT)}
            {cutEnd(text, columns - 2 * MENU_INDENT)}
          </Text>
        );
      })}
      <Text dimColor wrap="truncate">
        {' '.repeat(MENU_INDENT)}
        {count}
        {fitting.length > 0 && ' · ↑ ↓ choose · Tab completes'}
      </Text>
    </>
  );
}
