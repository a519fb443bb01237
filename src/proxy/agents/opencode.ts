import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import type { Mount } from '../contract.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './provider-mount.ts';
import { settingsFile, settingsObject, textAt, valueAt } from './settings-object.ts';

const CONTENT = 'OPENCODE_CONFIG_CONTENT';
/** Base URLs of the providers that need no settings. */
const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Settings from the farthest to the nearest, as opencode merges them. */
async function layers({ folder, home, environment }: AgentStart) {
  const global = path.join(environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode');
  const named = environment['OPENCODE_CONFIG'];
  const files = [
    ...['config.json', 'opencode.json', 'opencode.jsonc'].map((name) => path.join(global, name)),
    ...(named === undefined ? [] : [named]),
    ...['opencode.json', 'opencode.jsonc'].map((name) => path.join(folder, name)),
  ];
  const found = (await Promise.all(files.map(settingsFile))).filter((layer) => layer !== undefined);
  const content = environment[CONTENT];
  return content === undefined ? found : [...found, settingsObject(content, CONTENT)];
}

export const opencode: WrappedAgent = {
  command: 'opencode',
  agent: 'opencode',
  install: 'npm install -g opencode-ai',
  async route(start) {
    const settings = await layers(start);
    const mounts: Record<string, Mount> = {};
    const names = settings.flatMap((layer) => Object.keys((valueAt(layer, ['provider']) as object | undefined) ?? {}));
    for (const name of new Set([...Object.keys(KNOWN), ...names])) {
      const own = settings.map((layer) => textAt(layer, 'provider', name, 'options', 'baseURL')).findLast(Boolean);
      const url = start.upstream?.href ?? own ?? KNOWN[name];
      if (url !== undefined) mounts[name] = mountOf(baseUrl(url, `the baseURL of opencode's provider "${name}"`));
    }
    return {
      mounts: Object.values(mounts),
      async point(proxyUrl) {
        const content = settingsObject(start.environment[CONTENT] ?? '{}', CONTENT);
        const given = valueAt(content, ['provider']);
        const provider: Record<string, unknown> = { ...(isRecord(given) && given) };
        for (const [name, mount] of Object.entries(mounts)) {
          const own = provider[name];
          const options = isRecord(own) ? own['options'] : undefined;
          const baseURL = `${proxyUrl}${mount.path}`;
          provider[name] = { ...(isRecord(own) && own), options: { ...(isRecord(options) && options), baseURL } };
        }
        return { parameters: start.parameters, environment: { [CONTENT]: JSON.stringify({ ...content, provider }) } };
      },
    };
  },
};
