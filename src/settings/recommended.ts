import type { EphemeralSettings } from './registry.ts';

/**
 * What everything that prunes for a user does where nothing else is set: the profile `recommended`, which saves the most on
 * recorded sessions while almost no later edit needs removed text.
 * Source: bench/fidelity/README.md, with the sessions it was chosen on and what it cannot promise.
 */
export const RECOMMENDED: EphemeralSettings = {
  'compression.strategy': 'high-density',
  'compression.density.partialEdits': 'keep-lines',
  'compression.density.shellWrites': true,
  'compression.density.attachedReads': true,
  'compression.density.supersededReads': true,
  'compression.density.resultCalls': 3,
  'compression.density.carriedTokens': 200_000,
  'compression.density.coldCarriedTokens': 90_000,
  'compression.density.workingSetCalls': 2,
  'compression.density.reportCalls': 20,
  'compression.density.skillCalls': 20,
  'compression.density.thinkingCalls': 20,
  'compression.density.repeatedLines': 4,
  'compression.density.agentEchoes': true,
  'compression.density.terminalNoise': true,
  'compression.density.passingTests': true,
  'compression.density.matchesByFile': true,
  'compression.density.pathsByFolder': true,
  'compression.density.tenthLineNumbers': true,
  'compression.density.timing': 'when-it-pays',
};
