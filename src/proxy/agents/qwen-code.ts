import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import { OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { regularFileText } from '../../disk/regular-file.ts';
import type { Mount } from '../contract.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { addressOf, unknownUpstream } from './agent-by-variable.ts';
import { fileVariables } from './settings/environment-file.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { modelUrls, settingsFile, textAt, valueAt, withModelUrls } from './settings/settings-object.ts';
import { takenParameter } from './taken-parameter.ts';

const FLAG = '--openai-base-url';
const VARIABLES = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'] as const;
/** Settings that win over all others. Source: Qwen Code 0.24.4, `getSystemSettingsPath`. */
const SYSTEM = 'QWEN_CODE_SYSTEM_SETTINGS_PATH';
const DEFAULT_SYSTEM = '/etc/qwen-code/settings.json';
const PROVIDERS = 'modelProviders';

/** Settings from those that win to those that lose; the first ones are the system's. */
async function layersOf({ folder, environment }: AgentStart, own: string) {
  const files = [
    environment[SYSTEM] ?? DEFAULT_SYSTEM,
    path.join(folder, '.qwen/settings.json'),
    path.join(own, 'settings.json'),
  ];
  return Promise.all(files.map(settingsFile));
}

/** Qwen Code notes the base URL in the files of sub-agents, to resume them: puts its own back. */
async function restoreUrls(own: string, restored: ReadonlyMap<string, string>): Promise<void> {
  const projects = path.join(own, 'projects');
  for (const name of await readdir(projects, { recursive: true }).catch(() => [])) {
    if (!name.endsWith('.meta.json')) continue;
    const file = path.join(projects, name);
    const text = regularFileText(file);
    const after = [...restored].reduce((rest, [address, url]) => rest.replaceAll(`"${address}"`, `"${url}"`), text);
    if (after !== text) await writeFile(file, after);
  }
}

export const qwenCode: WrappedAgent = {
  command: 'qwen',
  agent: 'qwen-code',
  install: 'npm install -g @qwen-code/qwen-code',
  trial: {
    parameters: ['--auth-type', 'openai', '-p', 'hello'],
    environment: {
      OPENAI_API_KEY: 'invented',
      OPENAI_MODEL: 'qwen3-coder-plus',
      OPENAI_BASE_URL: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    },
  },
  async route(start) {
    const { environment, parameters, upstream, home } = start;
    const own = environment['QWEN_HOME'] ?? path.join(home, '.qwen');
    const layers = await layersOf(start, own);
    const fromFile = await fileVariables(start, '.qwen');
    const { given: address, rest } = takenParameter(parameters, FLAG);
    const setting = (...keys: string[]): string | undefined =>
      layers.map((layer) => textAt(layer, ...keys)).find((value) => value !== undefined);
    const isAnthropic = setting('security', 'auth', 'selectedType') === 'anthropic';
    /** Models win over the parameter, that over variables, and these over the address of the login. */
    const urlOf = (variable: (typeof VARIABLES)[number]): string | undefined => {
      const isAnthropics = variable === 'ANTHROPIC_BASE_URL';
      const told = environment[variable] ?? fromFile[variable] ?? setting('env', variable);
      return (isAnthropics ? undefined : address) || told || (isAnthropic === isAnthropics ? ofLogin : undefined);
    };
    const ofLogin = setting('security', 'auth', 'baseUrl');
    const mounts: Record<string, Mount> = {};
    for (const variable of VARIABLES) {
      const url = upstream?.href ?? urlOf(variable);
      if (url !== undefined) mounts[variable] = mountOf(baseUrl(url, variable));
    }
    const given = layers.map((layer) => valueAt(layer, [PROVIDERS])).find((value) => value !== undefined);
    const providers = Object.entries(isRecord(given) ? given : {});
    const ofModel = (url: string): Mount => mountOf(upstream ?? baseUrl(url, `a baseUrl of ${PROVIDERS}`));
    const ofModels = providers.flatMap(([, models]) => modelUrls(models)).map(ofModel);
    const all = [...Object.values(mounts), ...ofModels];
    if (all.length === 0) throw unknownUpstream('qwen', VARIABLES[0]);
    return {
      mounts: all,
      unguarded: 'Qwen Code takes hooks from files of settings only',
      async point({ proxyUrl }, folder) {
        const variables = Object.entries(mounts).map(([name, mount]) => [name, addressOf(proxyUrl, mount)]);
        if (ofModels.length > 0) {
          const file = path.join(folder, 'settings.json');
          const pointed = (url: string): string => addressOf(proxyUrl, ofModel(url));
          const models = providers.map(([name, own]) => [name, withModelUrls(own, pointed)]);
          const settings = { ...layers[0], [PROVIDERS]: Object.fromEntries(models) };
          await writeFile(file, JSON.stringify(settings), { mode: OWNER_FILE_MODE });
          variables.push([SYSTEM, file]);
        }
        const restored = new Map(all.map((mount) => [addressOf(proxyUrl, mount), mount.upstream.href]));
        const ended = (): Promise<void> => restoreUrls(own, restored);
        return { parameters: rest, environment: Object.fromEntries(variables), ended };
      },
    };
  },
};
