import { render, Text, useApp, useInput, useStdout } from 'ink';
import { type ReactNode, useEffect, useState } from 'react';
import { counted, grouped } from '../../report/figures.ts';
import { firstShown, fittingRows, type PickerRow, rowLine } from './picker-state.ts';

/** Lines beside the rows. */
const OTHER_LINES = 6;
const MAX_ROWS = 15;
const DEFAULT_ROWS = 24;
const DEFAULT_COLUMNS = 80;
const WIDEST_COLUMNS = 120;
const INDENT = 2;

interface Asked {
  readonly rows: readonly PickerRow[];
  /** The start of the first message of a session; slow, so that it is called for rows that are shown. */
  readonly titleOf: (path: string) => string;
  readonly onDone: (path: string | undefined) => void;
}

function Rows({ shown, chosen, columns }: { shown: readonly PickerRow[]; chosen: number; columns: number }): ReactNode {
  return shown.map((row, at) => (
    <Text key={row.path} inverse={at === chosen} wrap="truncate">
      {at === chosen ? '❯ ' : ' '.repeat(INDENT)}
      {rowLine(row, columns - INDENT)}
    </Text>
  ));
}

function Picker({ rows, titleOf, onDone }: Asked): ReactNode {
  const { exit } = useApp();
  const { stdout } = useStdout();
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState(0);
  const [hasEnded, setHasEnded] = useState(false);
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const titled = rows.map((row) => ({ ...row, title: titles.get(row.path) ?? row.title }));
  const fitting = fittingRows(titled, filter);
  const room = Math.max(1, Math.min(MAX_ROWS, (stdout.rows || DEFAULT_ROWS) - OTHER_LINES));
  const columns = Math.min(WIDEST_COLUMNS, stdout.columns || DEFAULT_COLUMNS);
  const first = firstShown(chosen, fitting.length, room);
  const shown = fitting.slice(first, first + room);
  const untitled =
    shown.find(({ path }) => !titles.has(path))?.path ?? rows.find(({ path }) => !titles.has(path))?.path;
  useEffect(() => {
    if (untitled === undefined) return undefined;
    const timer = setTimeout(() => setTitles((known) => new Map(known).set(untitled, titleOf(untitled))));
    return () => clearTimeout(timer);
  }, [untitled, titleOf]);
  const end = (path: string | undefined): void => {
    onDone(path);
    setHasEnded(true);
  };
  // The list disappears before the program goes on.
  useEffect(() => {
    if (hasEnded) exit();
  }, [hasEnded, exit]);
  const narrow = (text: string): void => {
    setFilter(text);
    setChosen(0);
  };
  useInput((input, key) => {
    if (key.escape || (key.ctrl && (input === 'c' || input === 'd'))) end(undefined);
    else if (key.return) fitting[chosen] && end(fitting[chosen].path);
    else if (key.upArrow) setChosen(Math.max(0, chosen - 1));
    else if (key.downArrow) setChosen(Math.min(fitting.length - 1, chosen + 1));
    else if (key.pageUp) setChosen(Math.max(0, chosen - room));
    else if (key.pageDown) setChosen(Math.min(fitting.length - 1, chosen + room));
    else if (key.backspace || key.delete) narrow(filter.slice(0, -1));
    else if (key.ctrl && input === 'u') narrow('');
    else if (input !== '' && !key.ctrl && !key.meta && !key.tab) narrow(filter + input);
  });
  if (hasEnded) return null;
  const own = shown.filter(({ isOwn }) => isOwn);
  const others = shown.slice(own.length);
  const hasBoth = rows[0]?.isOwn;
  return (
    <>
      <Text>
        <Text bold>Which session? </Text>
        {filter}
        <Text inverse> </Text>
      </Text>
      {own.length > 0 && <Text dimColor>in this folder</Text>}
      <Rows shown={own} chosen={chosen - first} columns={columns} />
      {others.length > 0 && (
        <Text dimColor>{hasBoth ? 'in other folders' : 'none of this folder; in other folders'}</Text>
      )}
      <Rows shown={others} chosen={chosen - first - own.length} columns={columns} />
      <Text dimColor wrap="truncate">
        {fitting.length === rows.length
          ? counted(rows.length, 'session')
          : `${grouped(fitting.length)} of ${counted(rows.length, 'session')}`}
        {' · type to filter · ↑ ↓ choose · Enter · Esc'}
      </Text>
    </>
  );
}

/** Asks for one of the rows on standard error; resolves with its path, undefined if the user chose none. */
export async function askForRow({ rows, titleOf }: Omit<Asked, 'onDone'>): Promise<string | undefined> {
  let picked: string | undefined;
  const onDone = (path: string | undefined): void => {
    picked = path;
  };
  const app = render(<Picker rows={rows} titleOf={titleOf} onDone={onDone} />, {
    stdout: process.stderr,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  await app.waitUntilExit();
  return picked;
}
