import type { Screen } from '../../terminal/terminal.ts';

const FIRST_QUIET_MS = 1_000;
const LONGEST_QUIET_MS = 30_000;

/**
 * Prints lines for a program that reads them through a pipe. Only a write shows that it is gone: Node cannot poll a pipe that it writes to,
 * and an empty write succeeds. So a blank is written while there is no line, first after a second, then ever less often. JSON allows blanks
 * before a value. `endOfBlanks` ends those before a line; empty where the line may begin with them.
 */
export function readPipe(
  out: Screen,
  { endOfBlanks, onGone }: { endOfBlanks: string; onGone: () => void },
): Pick<Screen, 'print'> {
  let quietMs = FIRST_QUIET_MS;
  let timer: NodeJS.Timeout | undefined;
  const writeBlankLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      quietMs = Math.min(2 * quietMs, LONGEST_QUIET_MS);
      out.print(' ').then(writeBlankLater, onGone);
    }, quietMs).unref();
  };
  return {
    async print(line) {
      const hasBlanks = quietMs > FIRST_QUIET_MS;
      quietMs = FIRST_QUIET_MS;
      await out.print(hasBlanks ? `${endOfBlanks}${line}` : line);
      writeBlankLater();
    },
  };
}
