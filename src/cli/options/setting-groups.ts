import type { Option } from 'commander';
import { SETTINGS_REGISTRY, type SettingKey } from '../../settings/registry.ts';
import { GATE_SETTINGS } from '../../strategies/settings/gate-settings.ts';
import { SHAPING_SETTINGS } from '../../strategies/settings/shaping-settings.ts';
import { SHARED_SETTINGS } from '../../strategies/settings/shared-settings.ts';
import { PRUNING_SETTINGS } from './setting-options.ts';

/** The groups of settings that help names, and what their settings choose. `general` has all that no other group has. */
export const SETTING_GROUPS = {
  pruning: 'what is removed from older text',
  'new-text': 'what gets a shorter form before it is sent for the first time',
  tools: 'your own tools, and tools and files whose text is never removed',
  timing: 'when a running conversation is pruned',
  general: 'strategy, window, prices, archive, engine',
} as const;

export type SettingGroup = keyof typeof SETTING_GROUPS;

const GROUP_OF = new Map<SettingKey, SettingGroup>([
  ...PRUNING_SETTINGS.map((key) => [key, 'pruning'] as const),
  ...SHAPING_SETTINGS.map(({ key }) => [key, 'new-text'] as const),
  ...SHARED_SETTINGS.map(({ key }) => [key, 'tools'] as const),
  ...GATE_SETTINGS.map(({ key }) => [key, 'timing'] as const),
]);

/** The group of a setting. */
export const groupOf = (key: SettingKey): SettingGroup => GROUP_OF.get(key) ?? 'general';

const BY_FLAGS = new Map<string, SettingGroup>([
  ...SETTINGS_REGISTRY.map(({ key, flag }) => [flag, groupOf(key)] as const),
  // It sets all of that group.
  ['--no-shape', 'new-text'],
]);

/** The group of the setting that this option sets; undefined for any other option. */
export const groupOfOption = ({ flags }: Option): SettingGroup | undefined => BY_FLAGS.get(flags);
