import { agentEchoes } from './agent-echoes.ts';
import { matchesByFile, pathsByFolder } from './headings.ts';
import { passingTests } from './passing-tests.ts';
import type { Shaper } from './shaper.ts';
import { tenthLineNumbers } from './tenth-line-numbers.ts';
import { terminalNoise } from './terminal-noise.ts';

/** The shapers of single results, in the order in which they shape. */
export const SHAPERS: readonly Shaper[] = [
  agentEchoes,
  terminalNoise,
  passingTests,
  matchesByFile,
  pathsByFolder,
  tenthLineNumbers,
];
