import type { CallPlace } from '../../reasons/call-place.ts';
import { andList } from '../../reasons/reason-row.ts';
import type { DensityRow } from '../../settings/density-row.ts';
import type { PruningRule } from '../rules/rule.ts';
import type { ShaperName } from './shaper.ts';

const SETTINGS = [
  {
    key: 'compression.density.agentEchoes',
    flag: '--agent-echoes <on|off>',
    type: 'boolean',
    default: false,
    help: 'In new results, leave out the words that the agent puts around them: chunk names, token counts, success.',
  },
  {
    key: 'compression.density.terminalNoise',
    flag: '--terminal-noise <on|off>',
    type: 'boolean',
    default: false,
    help: 'In new output of tests, builds and installs, leave out colours, and progress lines that the program overwrote.',
  },
  {
    key: 'compression.density.passingTests',
    flag: '--passing-tests <on|off>',
    type: 'boolean',
    default: false,
    help: 'In new output of a test run without failures, replace more than 20 tests that passed by their number.',
  },
  {
    key: 'compression.density.matchesByFile',
    flag: '--matches-by-file <on|off>',
    type: 'boolean',
    default: false,
    help: 'In new results of searches, write each path once, above its matches.',
  },
  {
    key: 'compression.density.pathsByFolder',
    flag: '--paths-by-folder <on|off>',
    type: 'boolean',
    default: false,
    help: 'In new lists of files, write each folder once, above its files.',
  },
  {
    key: 'compression.density.tenthLineNumbers',
    flag: '--tenth-line-numbers <on|off>',
    type: 'boolean',
    default: false,
    help: 'In new reads with numbered lines, keep only the first number of a run and every tenth number.',
  },
] as const satisfies readonly DensityRow[];

/** The result of `call` got its form before it was sent for the first time. */
export interface Shaped {
  readonly rule: 'shaped';
  readonly call: CallPlace;
  readonly shapers: readonly ShaperName[];
}

/** What each shaper does, for a person. */
const DONE: Readonly<Record<ShaperName, string>> = {
  agentEchoes: 'the words of the agent around it are left out',
  terminalNoise: 'colours and overwritten progress are left out',
  passingTests: 'tests that passed are counted',
  matchesByFile: 'matches stand below their file',
  pathsByFolder: 'paths stand below their folder',
  tenthLineNumbers: 'every tenth line has its number',
};

/** What gives a new result its form before the rules see it: `pruneShaped`. */
export const shaped = {
  settings: SETTINGS,
  reasons: {
    shaped: {
      counter: {
        name: 'shaped',
        what: 'new results that got a shorter form',
        one: 'result',
        many: 'results',
        badge: 'shaped',
      },
      certificate: {
        what: 'new result in a shorter form',
        page: 'shaped',
        terminal: 'shaped',
      },
      sentence: ({ shapers }) => andList(shapers.map((name) => DONE[name])),
    },
  },
} as const satisfies Pick<PruningRule<Shaped, typeof SETTINGS>, 'settings' | 'reasons'>;
