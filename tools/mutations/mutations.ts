import { COMPRESSION_MUTATIONS } from './compression.ts';
import { ECONOMICS_MUTATIONS } from './economics.ts';
import { GUARD_MUTATIONS } from './guard.ts';
import { HISTORY_MUTATIONS } from './history.ts';
import { INCLUSIONS_AND_RECENCY_MUTATIONS } from './inclusions-and-recency.ts';
import { LIVE_MUTATIONS } from './live.ts';
import type { Mutation } from './mutation.ts';
import { OFFLOAD_MUTATIONS } from './offload.ts';
import { ORCHESTRATION_MUTATIONS } from './orchestration.ts';
import { PROXY_MUTATIONS } from './proxy.ts';
import { PRUNING_MUTATIONS } from './pruning.ts';
import { READ_WRITE_MUTATIONS } from './read-write.ts';
import { SETTINGS_MUTATIONS } from './settings.ts';
import { STRATEGY_INTERFACE_MUTATIONS } from './strategy-interface.ts';
import { SUMMARIES_MUTATIONS } from './summaries.ts';

/** At least one for each requirement, and some for what the documents promise of each other room. */
export const MUTATIONS: readonly Mutation[] = [
  ...STRATEGY_INTERFACE_MUTATIONS,
  ...ORCHESTRATION_MUTATIONS,
  ...HISTORY_MUTATIONS,
  ...READ_WRITE_MUTATIONS,
  ...INCLUSIONS_AND_RECENCY_MUTATIONS,
  ...COMPRESSION_MUTATIONS,
  ...SETTINGS_MUTATIONS,
  ...SUMMARIES_MUTATIONS,
  ...LIVE_MUTATIONS,
  ...PROXY_MUTATIONS,
  ...ECONOMICS_MUTATIONS,
  ...GUARD_MUTATIONS,
  ...PRUNING_MUTATIONS,
  ...OFFLOAD_MUTATIONS,
];
