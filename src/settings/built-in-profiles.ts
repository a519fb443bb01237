import type { EphemeralSettings } from './registry.ts';

/** Where a built-in profile stands, in place of the path of a file. */
export const BUILT_IN = '(built in)';

/**
 * Profiles that come with the program, by name; one that the user saved under such a name takes its place.
 * `recommended`: the most that is saved on recorded sessions with hardly an edit that needs what is gone.
 * Source: bench/fidelity/README.md, which also says what it was chosen on and what it cannot promise.
 */
export const BUILT_IN_PROFILES: Readonly<Record<string, EphemeralSettings>> = {
  recommended: {
    'compression.strategy': 'high-density',
    'compression.density.partialEdits': 'keep-lines',
    'compression.density.shellWrites': true,
    'compression.density.supersededReads': true,
    'compression.density.resultCalls': 5,
    'compression.density.carriedTokens': 200_000,
    'compression.density.timing': 'when-it-pays',
  },
};
