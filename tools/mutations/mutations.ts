import { COMPRESSION_MUTATIONS } from './compression.ts';
import { HISTORY_MUTATIONS } from './history.ts';
import { INCLUSIONS_AND_RECENCY_MUTATIONS } from './inclusions-and-recency.ts';
import type { Mutation } from './mutation.ts';
import { ORCHESTRATION_MUTATIONS } from './orchestration.ts';
import { READ_WRITE_MUTATIONS } from './read-write.ts';
import { SETTINGS_MUTATIONS } from './settings.ts';
import { STRATEGY_INTERFACE_MUTATIONS } from './strategy-interface.ts';
import { SUMMARIES_MUTATIONS } from './summaries.ts';

/** At least one for each requirement. */
export const MUTATIONS: readonly Mutation[] = [
  ...STRATEGY_INTERFACE_MUTATIONS,
  ...ORCHESTRATION_MUTATIONS,
  ...HISTORY_MUTATIONS,
  ...READ_WRITE_MUTATIONS,
  ...INCLUSIONS_AND_RECENCY_MUTATIONS,
  ...COMPRESSION_MUTATIONS,
  ...SETTINGS_MUTATIONS,
  ...SUMMARIES_MUTATIONS,
];
