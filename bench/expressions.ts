import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { slowness } from '../test/expressions/slow-paths.ts';
import { type SourceExpression, sourceExpressions } from '../test/expressions/source-expressions.ts';
import { type AttackText, attackTexts } from './attack-texts.ts';
import { askChild, serve } from './child.ts';
import { type Expression, slowText } from './pump.ts';
import { type Row, rowOf } from './row.ts';

/** Installed when it is needed: with its programs it has 58 MB, and only this bench uses it. */
const RECHECK = 'recheck@4.5.0';

/** What we use of recheck's answer. */
interface Verdict {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  /** Only an automaton proves that an expression is safe. */
  readonly checker?: 'automaton' | 'fuzz';
  readonly attack?: AttackText;
}

type Check = (source: string, flags: string, options: { timeout: number }) => Promise<Verdict>;
const TIMEOUT_MS = 5000;

/** A process that has loaded none of the files, so that each file builds its expressions now; traces name their TypeScript. */
async function list(): Promise<readonly SourceExpression[]> {
  process.setSourceMapsEnabled(true);
  return sourceExpressions((file) => import(`../${file.replace(/\.tsx?$/, '.js')}`));
}

/** Why the expression is not linear, if it is not; and whether recheck has proven that it is, else our texts have tried it. */
async function judge({ source, flags }: Expression, check: Check) {
  const { status, checker, attack } = await check(source, flags, { timeout: TIMEOUT_MS });
  const isProven = status === 'safe' && checker === 'automaton';
  const its = attack && { pumps: attack.pumps.map(({ prefix, pump }) => ({ prefix, pump })), suffix: attack.suffix };
  const slow = isProven
    ? undefined
    : await slowText({ source, flags }, [...(its ? [its] : []), ...attackTexts(source, flags)]);
  return {
    isProven,
    isRefuted: status === 'vulnerable' && slow === undefined,
    reason: slow ? `slow for ${JSON.stringify(slow)}` : slowness(source, flags),
  };
}

/** Asks recheck about each expression with a repetition, and pumps what it does not decide. Needs the package registry. */
export async function run(): Promise<readonly Row[]> {
  const all = await askChild<readonly SourceExpression[]>('expressions', 'list');
  const distinct = new Map(all.map((one) => [`/${one.source}/${one.flags}${one.bound ?? ''}`, one]));
  const counts = { repeating: 0, proven: 0, pumped: 0, refuted: 0, exceptions: 0, vulnerable: 0 };
  const folder = mkdtempSync(path.join(tmpdir(), 'density-recheck-'));
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, RECHECK]);
    const { check } = createRequire(path.join(folder, 'package.json'))('recheck') as { check: Check };
    for (const [at, { file, line, source, flags, bound }] of [...distinct.values()].entries()) {
      if (at % 25 === 0) console.log(`${new Date().toISOString()} ${at} of ${distinct.size}`);
      const report = (what: string): void => console.log(`${file}:${line} ${what}`);
      if (source === undefined) {
        counts.vulnerable += 1;
        report('not known before the program runs');
        continue;
      }
      if (!/[*+{]/.test(source)) continue;
      counts.repeating += 1;
      const { isProven, isRefuted, reason } = await judge({ source, flags }, check);
      counts[isProven ? 'proven' : 'pumped'] += 1;
      if (isRefuted) {
        counts.refuted += 1;
        report('linear for the text for which recheck calls it vulnerable');
      }
      if (reason === undefined) continue;
      counts[bound === undefined ? 'vulnerable' : 'exceptions'] += 1;
      report(bound === undefined ? `NOT LINEAR: ${reason}` : `exception, ${bound}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (counts.vulnerable > 0) process.exitCode = 1;
  return Object.entries(counts).map(([name, count]) => rowOf(`expressions.${name}`, 'count', [count]));
}

serve<never>(import.meta.filename, { list });
