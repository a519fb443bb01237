import { Box, render, Static, Text, useApp, useInput, useStdout } from 'ink';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { packageVersion } from '../../../output/package-version.ts';
import { printable } from '../../../terminal/printable.ts';
import type { Screen } from '../../../terminal/terminal.ts';
import type { EarlyLine } from '../input/early-line.ts';
import type { OpenConversation } from '../open-conversation.ts';
import { ChatScreen } from './chat-screen.ts';
import type { ScreenView } from './drawn-view.ts';
import { Question } from './question.tsx';
import { ScreenKeys } from './screen-keys.ts';
import type { ScreenStyle } from './shown-events.ts';
import { Menu, Typed } from './typed.tsx';

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

interface ChatParts {
  readonly screen: ChatScreen;
  readonly keys: ScreenKeys;
  readonly hasColor: boolean;
}

function Chat({ screen, keys, hasColor }: ChatParts): ReactNode {
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
