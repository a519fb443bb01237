import { Box, render, Static, Text, useApp, useInput, useStdout } from 'ink';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { OpenConversation } from '../../../../chat/conversation.ts';
import { counted } from '../../../../report/figures.ts';
import { packageVersion } from '../../../output/package-version.ts';
import { cutEnd, padded } from '../../../terminal/columns.ts';
import { printable, type Screen } from '../../../terminal/terminal.ts';
import { ANSWERS } from '../input/approval-choice.ts';
import type { EarlyLine } from '../input/early-line.ts';
import type { EditedLine } from '../input/line-editor.ts';
import { slashMenu } from '../input/slash-menu.ts';
import { ChatScreen } from './chat-screen.ts';
import type { ScreenView } from './drawn-view.ts';
import { ScreenKeys } from './screen-keys.ts';
import type { ScreenStyle } from './shown-events.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
/** Shown candidates. */
const MAX_CANDIDATES = 12;
const MAX_FRAMES_PER_SECOND = 60;
const WIDEST_COLUMNS = 100;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

function Activity({ label }: { readonly label: string }): ReactNode {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((count) => count + 1), FRAME_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((ticks * FRAME_MS) / 1000);
  return (
    <Text wrap="truncate">
      {FRAMES[ticks % FRAMES.length]} {label}
      <Text dimColor>{seconds > 0 ? ` · ${seconds} s` : ''} · Esc cancels</Text>
    </Text>
  );
}

const LEVEL_COLORS = { low: 'green', near: 'yellow', reached: 'red' } as const;

function Status({ status, hasColor }: Pick<ScreenView, 'status'> & { readonly hasColor: boolean }): ReactNode {
  return (
    <Text wrap="truncate">
      <Text dimColor={hasColor}>{status.before}</Text>
      {hasColor ? <Text color={LEVEL_COLORS[status.level]}>{status.bar}</Text> : status.bar}
      <Text dimColor={hasColor}>{status.after}</Text>
    </Text>
  );
}

const MAX_QUESTION_LINES = 12;

/** The answers, the chosen one inverted, and how to confirm it. */
function Answers({ choice, line }: Pick<ScreenView, 'choice' | 'line'>): ReactNode {
  return (
    <Text>
      Allow it?{' '}
      {ANSWERS.map(({ key, word, approval }, at) => (
        <Text key={key}>
          {at > 0 && ' · '}
          <Text inverse={approval === choice}>
            <Text bold>{key}</Text> {word}
          </Text>
        </Text>
      ))}
      <Text dimColor>{line.text === '' ? ', then Enter' : ' (first send or clear the line)'}</Text>
    </Text>
  );
}

/** A call that waits for the user's answer, with the start of what it would do. */
function Question({
  view: { approval, detail, choice, line },
  columns,
}: {
  readonly view: ScreenView;
  readonly columns: number;
}): ReactNode {
  const more = detail.length - MAX_QUESTION_LINES;
  return (
    <Box flexDirection="column" borderStyle="round" paddingX={1} width={columns}>
      <Text bold>{printable(approval?.preview.title ?? '')}</Text>
      {detail.length > 0 && <Text>{detail.slice(0, MAX_QUESTION_LINES).join('\n')}</Text>}
      {more > 0 && <Text dimColor>… {counted(more, 'more line')}, Ctrl-O shows all</Text>}
      <Answers choice={choice} line={line} />
    </Box>
  );
}

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Rows of the menu; it scrolls. */
const MENU_ROWS = 8;
const MENU_INDENT = 2;

/** The input line with an inverted cursor. */
function Typed({
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
function Menu({
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

function Chat({
  screen,
  keys,
  hasColor,
}: {
  readonly screen: ChatScreen;
  readonly keys: ScreenKeys;
  readonly hasColor: boolean;
}): ReactNode {
  const view = useSyncExternalStore(screen.subscribe, screen.view);
  const { exit } = useApp();
  const { stdout } = useStdout();
  useInput((input, key) => keys.press(input, key));
  useEffect(() => {
    if (view.hasEnded) exit();
  }, [view.hasEnded, exit]);
  const { printed, partial, output, activity, approval, line, candidates, queued, status, usage, hint } = view;
  const columns = stdout.columns || DEFAULT_COLUMNS;
  const more = candidates.length - MAX_CANDIDATES;
  return (
    <>
      <Static items={[...printed]}>{({ id, text }) => <Text key={id}>{text}</Text>}</Static>
      {partial.length > 0 && <Text>{partial.join('\n')}</Text>}
      {output.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity.
        <Text key={at} dimColor wrap="truncate">
          {'  '}
          {text}
        </Text>
      ))}
      {activity !== undefined && !approval && !view.hasEnded && <Activity key={activity} label={activity} />}
      {approval && <Question view={view} columns={columns} />}
      {queued.map((text) => (
        <Text key={text} dimColor wrap="truncate">
          next: {printable(screen.shown(text))}
        </Text>
      ))}
      {!view.hasEnded && (
        <Box marginTop={1}>
          <Text bold>{'> '}</Text>
          <Typed line={line} shown={screen.shown} />
        </Box>
      )}
      <Menu line={line.text} chosen={view.menuAt} columns={columns} />
      {candidates.length > 0 && (
        <Text dimColor>
          {candidates.slice(0, MAX_CANDIDATES).join('  ')}
          {more > 0 && `  and ${more} more`}
        </Text>
      )}
      {hint !== '' && <Text dimColor>{hint}</Text>}
      <Status status={status} hasColor={hasColor} />
      {usage !== '' && (
        <Text dimColor={hasColor} wrap="truncate">
          {usage}
        </Text>
      )}
    </>
  );
}

/** Runs a conversation on a live screen until the user quits. It takes over the text of the early line. */
export async function runScreen(
  open: OpenConversation,
  { message, screen: out, early }: { message: string | undefined; screen: Screen; early: EarlyLine },
): Promise<void> {
  const columns = (): number => Math.min(WIDEST_COLUMNS, out.stream.columns || DEFAULT_COLUMNS);
  const rows = (): number => out.stream.rows || DEFAULT_ROWS;
  const style = (): ScreenStyle => ({ colors: out.colors, columns: columns(), rows: rows(), isPlain: false });
  const screen = new ChatScreen(open, style);
  const { bold, dim } = out.colors;
  screen.print([`${bold(`density ${packageVersion()}`)} ${dim('· / lists the commands · Alt-Enter: new line')}`]);
  const keys = new ScreenKeys(screen);
  if (message !== undefined) screen.say(message);
  const typed = early.close();
  screen.edit({ kind: 'insert', text: typed.text });
  const app = render(<Chat screen={screen} keys={keys} hasColor={out.colors.isColorSupported} />, {
    exitOnCtrlC: false,
    maxFps: MAX_FRAMES_PER_SECOND,
    patchConsole: false,
  });
  await keys.typeAhead(typed.rest);
  try {
    await app.waitUntilExit();
  } finally {
    const { sessionId, wasUsed } = screen;
    await screen.close();
    if (wasUsed) await out.print(dim(`The session is kept: density chat --resume ${sessionId}\n`));
  }
}
