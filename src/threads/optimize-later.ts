import { setFlagsFromString } from 'node:v8';

/**
 * How often a function runs before V8 optimizes it, by the major version of Node: about four to nine times as often as by
 * default. Later versions are given nothing, because their default is as fast.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=600000',
  22: '--invocation-count-for-turbofan=12000',
};

/**
 * Lets V8 optimize fewer functions, in this process and its threads. For commands that play many sessions of many formats
 * for a few seconds: by default each thread uses a third of its processor time to optimize what soon ends or changes.
 * Source: `npm run bench -- folders`.
 */
export function optimizeLater(): void {
  const option = OPTIONS[process.versions.node.split('.', 1)[0]!];
  if (option !== undefined) setFlagsFromString(option);
}
