import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { counted } from '../../../../report/figures.ts';
import { printable } from '../../../terminal/printable.ts';
import { ANSWERS } from '../input/approval-choice.ts';
import type { ScreenView } from './drawn-view.ts';

const MAX_LINES = 12;

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
export function Question({
  view: { approval, detail, choice, line },
  columns,
}: {
  readonly view: ScreenView;
  readonly columns: number;
}): ReactNode {
  const more = detail.length - MAX_LINES;
  return (
    <Box flexDirection="column" borderStyle="round" paddingX={1} width={columns}>
      <Text bold>{printable(approval?.preview.title ?? '')}</Text>
      {detail.length > 0 && <Text>{detail.slice(0, MAX_LINES).join('\n')}</Text>}
      {more > 0 && <Text dimColor>… {counted(more, 'more line')}, Ctrl-O shows all</Text>}
      <Answers choice={choice} line={line} />
    </Box>
  );
}
