import type { EphemeralSettings } from './registry.ts';

/** Shown instead of a file path for a built-in profile. */
export const BUILT_IN = '(built in)';

/**
 * Profiles that come with the program, by name. A profile that the user saves under the same name replaces it.
 * `recommended` saves the most on recorded sessions while almost no later edit needs removed text.
 * Source: bench/fidelity/README.md, with the sessions it was chosen on and what it cannot promise.
 */
export const BUILT_IN_PROFILES: Readonly<Record<string, EphemeralSettings>> = {
  recommended: {
    'compression.strategy': 'high-density',
    'compression.density.partialEdits': 'keep-lines',
    'compression.density.shellWrites': true,
    'compression.density.supersededReads': true,
    'compression.density.resultCalls': 5,
    'compression.density.carriedTokens': 200_000,
    'compression.density.workingSetCalls': 2,
    'compression.density.timing': 'when-it-pays',
  },
};
