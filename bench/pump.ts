import type { AttackText } from './attack-texts.ts';
import { Child, serve } from './child.ts';

const LENGTHS = [32, 256, 2048, 16_384];
/** A shorter time says nothing about how it grows. */
const LEAST_MS = 10;
/** Between a linear expression, which takes twice as long for a text of doubled length, and a quadratic one (four times). */
const SLOW_RATIO = 3;
/** The length before, an eighth, took less than `LEAST_MS` or grew in a linear way. */
const KILL_MS = 20_000;

export interface Expression {
  readonly source: string;
  readonly flags: string;
}

interface Attack extends Expression {
  readonly text: AttackText;
}

/** Processor time of all matches in `text` if the expression is global, else of the first. */
function timeMs(expression: RegExp, text: string): number {
  const start = process.cpuUsage();
  if (expression.global) text.replace(expression, '');
  else expression.exec(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** True if some text takes `SLOW_RATIO` times as long at doubled length, and again at four times the length. */
async function isSlow({ source, flags, text }: Attack): Promise<boolean> {
  const expression = new RegExp(source, flags);
  const textOf = (length: number): string =>
    text.pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(length / pump.length))).join('') + text.suffix;
  const fastestMs = (length: number): number => Math.min(...[1, 2, 3].map(() => timeMs(expression, textOf(length))));
  return LENGTHS.some((length) => {
    if (timeMs(expression, textOf(length)) < LEAST_MS) return false;
    const doubled = fastestMs(length * 2);
    return doubled / fastestMs(length) > SLOW_RATIO && fastestMs(length * 4) / doubled > SLOW_RATIO;
  });
}

/** The first text for which an expression is not linear, found in a process of its own that is ended if it does not answer. */
export async function slowText(
  { source, flags }: Expression,
  texts: readonly AttackText[],
): Promise<AttackText | undefined> {
  const child = new Child('pump');
  try {
    for (const text of texts) {
      const attack: Attack = { source, flags, text };
      let timeout: NodeJS.Timeout | undefined;
      const late = new Promise<true>((resolve) => {
        timeout = setTimeout(resolve, KILL_MS, true);
      });
      const answer = await Promise.race([child.ask<boolean>('isSlow', attack), late]);
      clearTimeout(timeout);
      if (answer) return text;
    }
    return undefined;
  } finally {
    await child.end();
  }
}

serve<Attack>(import.meta.filename, { isSlow });
