import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import { packageFile } from '../../package-file.ts';
import type { Mount } from '../contract.ts';
import { GUARD_VARIABLE } from '../run-variables.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { majorVersion } from './major-version.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { settingsFile, settingsObject, textAt, valueAt } from './settings/settings-object.ts';

/** opencode, or an agent that was made from it. */
interface OpenCodeLike extends Pick<WrappedAgent, 'command' | 'install'> {
  /** Starts the names of its variables. */
  readonly prefix: 'OPENCODE' | 'KILO';
  /** Names of its settings' files without the ending. */
  readonly names: readonly string[];
  /** Folders of settings inside a project. */
  readonly folders: readonly string[];
  /** Its own provider, which needs no key. */
  readonly own: Readonly<Record<string, KnownProvider>>;
  /** The last version that runs our plugin, by its first number; absent: each does. */
  readonly lastTried?: number;
}

/** Source: https://opencode.ai/docs/migrate-v1 and build/plugins/migrate-v1 beside it, read on 2026-11-29. */
const UNTRIED = {
  unguarded: 'opencode 2 does not run plugins of version 1',
  untried:
    'opencode 2 was never tried with density. It is pointed at the proxy by settings of version 1, which it is said to read; no call in `density stats` means that it does not. Its calls are not looked at before they run.',
};

type Providers = Readonly<Record<string, KnownProvider>>;

interface KnownProvider {
  readonly url: string;
  /** A variable with another base URL. */
  readonly urlVariable?: string;
  /** Variables with its key; none: it needs no key. */
  readonly keys: readonly string[];
}

/** Providers that need no settings. Source: opencode 1.18.33, which contains the list of models.dev. */
const KNOWN: Providers = {
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
async function layers({ command, prefix, names, folders }: OpenCodeLike, { folder, home, environment }: AgentStart) {
  const global = path.join(environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), command);
  const named = environment[`${prefix}_CONFIG`];
  const own = environment[`${prefix}_CONFIG_DIR`];
  const project = projectFolders(folder);
  const inFolder = (one: string): string[] =>
    names.flatMap((name) => [path.join(one, `${name}.json`), path.join(one, `${name}.jsonc`)]);
  const files = [
    path.join(global, 'config.json'),
    ...inFolder(global),
    ...(named === undefined ? [] : [named]),
    ...project.flatMap(inFolder),
    ...project.flatMap((one) => folders.flatMap((name) => inFolder(path.join(one, name)))),
    ...(own === undefined ? [] : inFolder(own)),
  ];
  const found = (await Promise.all(files.map(settingsFile))).filter((layer) => layer !== undefined);
  const content = environment[`${prefix}_CONFIG_CONTENT`];
  return content === undefined ? found : [...found, settingsObject(content, `${prefix}_CONFIG_CONTENT`)];
}

/** The known providers that are in use: opencode offers all models of a provider that has settings, with or without a key. */
async function knownInUse(command: string, known: Providers, { home, environment }: AgentStart): Promise<string[]> {
  const data = environment['XDG_DATA_HOME'] ?? path.join(home, '.local/share');
  const logins = (await settingsFile(path.join(data, command, 'auth.json'))) ?? {};
  return Object.entries(known).flatMap(([name, { keys }]) =>
    keys.length === 0 || name in logins || keys.some((key) => environment[key]) ? [name] : [],
  );
}

/** `{env:NAME}` in settings is the variable. */
const withVariables = (text: string, environment: AgentStart['environment']): string =>
  text.replaceAll(/\{env:([^{}]+)\}/g, (_, name: string) => environment[name] ?? '');

const openCodeLike = (kind: OpenCodeLike): WrappedAgent => ({
  command: kind.command,
  agent: kind.command,
  install: kind.install,
  trial: {
    parameters: ['run', '--model', 'anthropic/claude-sonnet-4-5', 'hello'],
    environment: { ANTHROPIC_API_KEY: 'invented' },
  },
  async route(start) {
    const { environment, upstream } = start;
    const variable = `${kind.prefix}_CONFIG_CONTENT`;
    const allKnown = { ...KNOWN, ...kind.own };
    const settings = await layers(kind, start);
    const mounts: Record<string, Mount> = {};
    const names = settings.flatMap((layer) => Object.keys((valueAt(layer, ['provider']) as object | undefined) ?? {}));
    for (const name of new Set([...(await knownInUse(kind.command, allKnown, start)), ...names])) {
      const own = settings.map((layer) => textAt(layer, 'provider', name, 'options', 'baseURL')).findLast(Boolean);
      const known = allKnown[name];
      const url =
        upstream?.href ??
        (own && withVariables(own, environment)) ??
        (known?.urlVariable && (environment[known.urlVariable] || undefined)) ??
        known?.url;
      if (url) mounts[name] = mountOf(baseUrl(url, `the baseURL of ${kind.command}'s provider "${name}"`));
    }
    const { lastTried = Number.POSITIVE_INFINITY } = kind;
    const version = kind.lastTried === undefined ? undefined : await majorVersion(kind.command, environment);
    const isLater = version !== undefined && version > lastTried;
    return {
      mounts: Object.values(mounts),
      ...(isLater && UNTRIED),
      async point({ proxyUrl, guardUrl }) {
        const content = settingsObject(environment[variable] ?? '{}', variable);
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
          environment: isLater
            ? { [variable]: JSON.stringify({ ...content, provider }) }
            : { [variable]: JSON.stringify({ ...content, provider, plugin }), [GUARD_VARIABLE]: guardUrl },
        };
      },
    };
  },
});

export const opencode = openCodeLike({
  command: 'opencode',
  install: 'npm install -g opencode-ai',
  prefix: 'OPENCODE',
  names: ['opencode'],
  folders: ['.opencode'],
  own: { opencode: { url: 'https://opencode.ai/zen/v1', keys: [] } },
  lastTried: 1,
});

/** Made from opencode. Source: Kilo CLI 7.7.9. */
export const kilo = openCodeLike({
  command: 'kilo',
  install: 'npm install -g @kilocode/cli',
  prefix: 'KILO',
  names: ['opencode', 'kilo'],
  folders: ['.opencode', '.kilocode', '.kilo'],
  own: { kilo: { url: 'https://api.kilo.ai/api/gateway', keys: [] } },
});
