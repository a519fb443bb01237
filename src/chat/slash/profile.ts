import { counted } from '../../report/figures.ts';
import type { Conversation } from '../conversation.ts';
import { type SlashCommand, type SlashOutcome, wrongUsage } from './contract.ts';

const ACTIONS = ['save', 'load', 'list', 'delete'];

async function act(action: string, name: string, chat: Conversation, mayReplace: boolean): Promise<SlashOutcome> {
  const { settings } = chat;
  if (action === 'save') {
    const { file, settings: saved } = await settings.saveProfile(name, mayReplace);
    return {
      kind: 'said',
      lines: [`Saved ${counted(Object.keys(saved).length, 'setting')} as profile ${name}: ${file}`],
    };
  }
  if (action === 'load') {
    const { settings: loaded } = await settings.loadProfile(name);
    await chat.followEngine();
    const keys = Object.keys(loaded);
    const all = settings.explain(chat.model.model);
    return { kind: 'settings', settings: all.filter(({ key }) => keys.includes(key)) };
  }
  await settings.deleteProfile(name);
  return { kind: 'said', lines: [`Deleted profile ${name}.`] };
}

/** `/profile`: settings under a name. */
export const profile: SlashCommand = {
  name: 'profile',
  usage: '<action> [name]',
  help: 'save, load, list or delete settings under a name',
  async complete([, second, ...more], chat) {
    if (second === undefined) return ACTIONS;
    return more.length > 0 ? ['--force'] : (await chat.settings.profiles.list()).map(({ name }) => name);
  },
  async run(words, chat) {
    const [action = '', name, flag] = words;
    if (action === 'list' && name === undefined) {
      return { kind: 'profiles', profiles: await chat.settings.profiles.list() };
    }
    const isForced = flag === '--force' && action === 'save';
    const isWhole = ACTIONS.includes(action) && action !== 'list' && name !== undefined;
    if (!isWhole || (flag !== undefined && !isForced))
      throw wrongUsage('/profile save <name> [--force] | load <name> | list | delete <name>', words);
    return act(action, name, chat, isForced);
  },
};
