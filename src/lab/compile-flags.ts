import { setFlagsFromString } from 'node:v8';

/**
 * How V8 compiles in a comparison, which is over in seconds, keeps all processors busy and meets sessions of every shape:
 * fast code on the thread that waits for it, as all others have work of their own. Source: all sessions of
 * `bench/compare.ts`, 7 to 12% less processor time on Node 20, 22 and 24, 5 to 9 runs of each in turn.
 */
const COMPILING = ['--no-concurrent-recompilation'];
/**
 * On Node 20 also fast code for the types that were met later and with less of what it calls, because it is thrown away
 * once others are met. Source: the same sessions, started from bytecode; no flag takes 1.78 times the processor time of all
 * three, the first alone 1.68, the first two 1.15 (7 rounds in turn). Later versions count calls and know no such budget.
 */
const COMPILING_LATER = ['--interrupt-budget=600000', '--max-inlined-bytecode-size-cumulative=300'];
const KNOWS_BUDGET = /^v20\./.test(process.version);

/** Has V8 compile for a comparison, in this process and in threads that it starts from now on. */
export function compileForComparison(): void {
  for (const flag of KNOWS_BUDGET ? [...COMPILING, ...COMPILING_LATER] : COMPILING) setFlagsFromString(flag);
}
