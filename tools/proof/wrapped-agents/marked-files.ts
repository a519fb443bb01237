import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const NUMBERS = [0, 1, 2];

const nameOf = (number: number): string => `part${number}.txt`;

/** Writes three files of so many lines, whose first line is a mark. */
export function writeMarkedFiles(work: string, lineCount: number): void {
  for (const number of NUMBERS) {
    const lines = Array.from(
      { length: lineCount },
      (_, at) => `value ${number}-${at} is an ordinary line of this file`,
    );
    writeFileSync(path.join(work, nameOf(number)), ['mark zero', ...lines, ''].join('\n'));
  }
}

/** True if each file has this mark. */
export const areMarked = (work: string, mark: string): boolean =>
  NUMBERS.every((number) => readFileSync(path.join(work, nameOf(number)), 'utf8').startsWith(`mark ${mark}\n`));
