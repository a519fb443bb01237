import { SETTINGS_REGISTRY, type SettingRow } from '../../settings/registry.ts';
import { type SlashCommand, wrongUsage } from './contract.ts';

const KEYS: readonly string[] = SETTINGS_REGISTRY.map(({ key }) => key);

function valuesOf(row: SettingRow | undefined): readonly string[] {
  if (row?.type === 'boolean') return ['true', 'false'];
  return row?.type === 'enum' ? row.enumValues : [];
}

/** `/set`: changes a setting of this conversation. Source: REQ-HD-009. */
export const set: SlashCommand = {
  name: 'set',
  usage: '<key> <value>',
  help: 'set a setting; /set unset <key> removes it',
  async complete([first = '', second, ...more], chat) {
    if (second === undefined) return ['unset', ...KEYS];
    if (first === 'unset') return KEYS;
    if (more.length > 0) return [];
    if (first === 'compression.profile') return (await chat.settings.profiles.list()).map(({ name }) => name);
    return valuesOf(SETTINGS_REGISTRY.find(({ key }) => key === first));
  },
  async run(words, chat) {
    const [key, ...rest] = words;
    if (key === undefined || rest.length === 0) throw wrongUsage(`/set ${set.usage}`, words);
    if (key === 'unset') {
      const freed = await chat.settings.unset(rest.join(' '));
      await chat.followEngine();
      const now = chat.settings.explain(chat.model.model).find((setting) => setting.key === freed);
      return { kind: 'settings', settings: now ? [now] : [] };
    }
    const setting = await chat.settings.set(key, rest.join(' '));
    await chat.followEngine();
    return { kind: 'settings', settings: [setting] };
  },
};

/** `/settings`: each setting, its value and where it comes from. */
export const settings: SlashCommand = {
  name: 'settings',
  usage: '',
  help: 'show each setting and where it comes from',
  run: async (_words, chat) => ({ kind: 'settings', settings: chat.settings.explain(chat.model.model) }),
};
