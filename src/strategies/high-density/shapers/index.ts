import { agentEchoes } from './agent-echoes.ts';
import { matchesByFile } from './matches-by-file.ts';
import { passingTests } from './passing-tests.ts';
import { pathsByFolder } from './paths-by-folder.ts';
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
