import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import { packageFile } from '../../package-file.ts';
import type { Mount } from '../contract.ts';
import { GUARD_VARIABLE } from '../run-variables.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './provider-mount.ts';
import { settingsFile, settingsObject, textAt, valueAt } from './settings-object.ts';

const CONTENT = 'OPENCODE_CONFIG_CONTENT';

interface KnownProvider {
  readonly url: string;
  /** A variable with another base URL. */
  readonly urlVariable?: string;
  /** Variables with its key; none: it needs no key. */
  readonly keys: readonly string[];
}

/** Providers that need no settings. Source: opencode 1.18.33, which contains the list of models.dev. */
const KNOWN: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keys: ['ANTHROPIC_API_KEY'],
  },
  openai: { url: 'https://api.openai.com/v1', urlVariable: 'OPENAI_BASE_URL', keys: ['OPENAI_API_KEY'] },
  google: {
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keys: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  },
  opencode: { url: 'https://opencode.ai/zen/v1', keys: [] },
  openrouter: { url: 'https://openrouter.ai/api/v1', keys: ['OPENROUTER_API_KEY'] },
  deepseek: { url: 'https://api.deepseek.com', keys: ['DEEPSEEK_API_KEY'] },
  groq: { url: 'https://api.groq.com/openai/v1', keys: ['GROQ_API_KEY'] },
  xai: { url: 'https://api.x.ai/v1', keys: ['XAI_API_KEY'] },
};

/** The folders from the root of the repository to this one, where opencode looks for settings. */
function projectFolders(folder: string): string[] {
  const parent = path.dirname(folder);
  const isRoot = parent === folder || existsSync(path.join(folder, '.git'));
  return isRoot ? [folder] : [...projectFolders(parent), folder];
}

/** Settings from the farthest to the nearest, as opencode merges them. */
async function layers({ folder, home, environment }: AgentStart) {
  const global = path.join(environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode');
  const named = environment['OPENCODE_CONFIG'];
  const own = environment['OPENCODE_CONFIG_DIR'];
  const project = projectFolders(folder);
  const inFolder = (one: string): string[] => ['opencode.json', 'opencode.jsonc'].map((name) => path.join(one, name));
  const files = [
    ...[path.join(global, 'config.json'), ...inFolder(global)],
    ...(named === undefined ? [] : [named]),
    ...project.flatMap(inFolder),
    ...project.flatMap((one) => inFolder(path.join(one, '.opencode'))),
    ...(own === undefined ? [] : inFolder(own)),
  ];
  const found = (await Promise.all(files.map(settingsFile))).filter((layer) => layer !== undefined);
  const content = environment[CONTENT];
  return content === undefined ? found : [...found, settingsObject(content, CONTENT)];
}

/** The known providers that are in use: opencode offers all models of a provider that has settings, with or without a key. */
async function knownInUse({ home, environment }: AgentStart): Promise<string[]> {
  const data = environment['XDG_DATA_HOME'] ?? path.join(home, '.local/share');
  const logins = (await settingsFile(path.join(data, 'opencode/auth.json'))) ?? {};
  return Object.entries(KNOWN).flatMap(([name, { keys }]) =>
    keys.length === 0 || name in logins || keys.some((key) => environment[key]) ? [name] : [],
  );
}

/** `{env:NAME}` in settings is the variable. */
const withVariables = (text: string, environment: AgentStart['environment']): string =>
  text.replaceAll(/\{env:([^}]+)\}/g, (_, name: string) => environment[name] ?? '');

export const opencode: WrappedAgent = {
  command: 'opencode',
  agent: 'opencode',
  install: 'npm install -g opencode-ai',
  trial: {
    parameters: ['run', '--model', 'anthropic/claude-sonnet-4-5', 'hello'],
    environment: { ANTHROPIC_API_KEY: 'invented' },
  },
  async route(start) {
    const { environment, upstream } = start;
    const settings = await layers(start);
    const mounts: Record<string, Mount> = {};
    const names = settings.flatMap((layer) => Object.keys((valueAt(layer, ['provider']) as object | undefined) ?? {}));
    for (const name of new Set([...(await knownInUse(start)), ...names])) {
      const own = settings.map((layer) => textAt(layer, 'provider', name, 'options', 'baseURL')).findLast(Boolean);
      const known = KNOWN[name];
      const url =
        upstream?.href ??
        (own && withVariables(own, environment)) ??
        (known?.urlVariable && (environment[known.urlVariable] || undefined)) ??
        known?.url;
      if (url) mounts[name] = mountOf(baseUrl(url, `the baseURL of opencode's provider "${name}"`));
    }
    return {
      mounts: Object.values(mounts),
      async point({ proxyUrl, guardUrl }) {
        const content = settingsObject(environment[CONTENT] ?? '{}', CONTENT);
        const given = valueAt(content, ['provider']);
        const provider: Record<string, unknown> = { ...(isRecord(given) && given) };
        for (const [name, mount] of Object.entries(mounts)) {
          const own = provider[name];
          const options = isRecord(own) ? own['options'] : undefined;
          const baseURL = `${proxyUrl}${mount.path}`;
          provider[name] = { ...(isRecord(own) && own), options: { ...(isRecord(options) && options), baseURL } };
        }
        const plugins = valueAt(content, ['plugin']);
        const plugin = [...(Array.isArray(plugins) ? plugins : []), packageFile('plugins/guard/opencode.js').href];
        return {
          parameters: start.parameters,
          environment: { [CONTENT]: JSON.stringify({ ...content, provider, plugin }), [GUARD_VARIABLE]: guardUrl },
        };
      },
    };
  },
};
