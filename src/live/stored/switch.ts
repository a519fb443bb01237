const LINE = /^\{"switch":"(on|off)"\}$/;

/** The line that turns changes of new text off or on for a conversation; the last one counts. */
export const switchLine = (to: 'on' | 'off'): string => JSON.stringify({ switch: to });

export const isSwitch = (line: string): boolean => LINE.test(line);

/** True if these lines of a conversation turn it off; `undefined` if they say nothing about that. */
export function isSwitchedOff(lines: readonly string[]): boolean | undefined {
  const last = lines.findLast(isSwitch);
  return last === undefined ? undefined : last === switchLine('off');
}
