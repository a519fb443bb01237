import { Box, render, Static, Text, useApp, useInput, useStdout } from 'ink';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { ApprovalRequest } from '../../../../chat/chat-event.ts';
import { packageVersion } from '../../../output/package-version.ts';
import { printable } from '../../../terminal/printable.ts';
import type { Screen } from '../../../terminal/terminal.ts';
import { cutEnd } from '../../../terminal/text-width.ts';
import type { OpenConversation } from '../open-conversation.ts';
import { ANSWERS } from './approval-choice.ts';
import { ChatScreen } from './chat-screen.ts';
import type { ScreenView } from './drawn-view.ts';
import type { EarlyLine } from './early-line.ts';
import type { EditedLine } from './line-editor.ts';
import { ScreenKeys } from './screen-keys.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Shown lines of an approval, or candidates. */
const MOST_LINES = 12;
const MOST_FRAMES_PER_SECOND = 60;
const WIDEST_COLUMNS = 100;
const DEFAULT_COLUMNS = 80;

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

interface QuestionParts extends Pick<ScreenView, 'choice' | 'line'> {
  readonly request: ApprovalRequest;
  readonly columns: number;
}

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

function Question({ request, columns, choice, line }: QuestionParts): ReactNode {
  const { title, detail } = request.preview;
  const more = detail.length - MOST_LINES;
  const shown = detail.slice(0, MOST_LINES).map((line) => cutEnd(printable(line), columns - 4));
  return (
    <Box flexDirection="column" borderStyle="round" paddingX={1}>
      <Text bold>{printable(title)}</Text>
      {shown.length > 0 && <Text>{shown.join('\n')}</Text>}
      {more > 0 && <Text dimColor>and {more} more lines</Text>}
      <Answers choice={choice} line={line} />
    </Box>
  );
}

/** The input line with an inverted cursor. */
function Typed({ line: { text, cursor } }: { readonly line: EditedLine }): ReactNode {
  const [next] = SEGMENTS.segment(text.slice(cursor));
  const under = next?.segment ?? ' ';
  const isAtLineEnd = under === '\n';
  return (
    <Text>
      {text.slice(0, cursor)}
      <Text inverse>{isAtLineEnd ? ' ' : under}</Text>
      {isAtLineEnd ? text.slice(cursor) : text.slice(cursor + under.length)}
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
  const { printed, partial, activity, approval, choice, line, candidates, queued, status, hint } = view;
  const columns = stdout.columns || DEFAULT_COLUMNS;
  return (
    <>
      <Static items={[...printed]}>{({ id, text }) => <Text key={id}>{text}</Text>}</Static>
      {partial !== '' && <Text>{partial}</Text>}
      {activity !== undefined && !approval && !view.hasEnded && <Activity key={activity} label={activity} />}
      {approval && <Question request={approval} columns={columns} choice={choice} line={line} />}
      {queued.map((text) => (
        <Text key={text} dimColor wrap="truncate">
          next: {printable(text)}
        </Text>
      ))}
      {!view.hasEnded && (
        <Box marginTop={1}>
          <Text bold>{'> '}</Text>
          <Typed line={line} />
        </Box>
      )}
      {candidates.length > 0 && <Text dimColor>{candidates.slice(0, MOST_LINES).join('  ')}</Text>}
      {hint !== '' && <Text dimColor>{hint}</Text>}
      <Status status={status} hasColor={hasColor} />
    </>
  );
}

/** Runs a conversation on a live screen until the user quits. It takes over the text of the early line. */
export async function runScreen(
  open: OpenConversation,
  { message, screen: out, early }: { message: string | undefined; screen: Screen; early: EarlyLine },
): Promise<void> {
  const columns = (): number => Math.min(WIDEST_COLUMNS, out.stream.columns || DEFAULT_COLUMNS);
  const screen = new ChatScreen(open, () => ({ colors: out.colors, columns: columns(), isPlain: false }));
  const { bold, dim } = out.colors;
  screen.print([`${bold(`density ${packageVersion()}`)} ${dim('· /help lists the commands')}`]);
  const keys = new ScreenKeys(screen);
  if (message !== undefined) screen.say(message);
  const typed = early.close();
  screen.edit({ kind: 'insert', text: typed.text });
  const app = render(<Chat screen={screen} keys={keys} hasColor={out.colors.isColorSupported} />, {
    exitOnCtrlC: false,
    maxFps: MOST_FRAMES_PER_SECOND,
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
