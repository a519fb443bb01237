import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import type { Mount } from '../../contract.ts';
import type { AgentStart, WrappedAgent } from '../agent.ts';
import { addressOf, unknownUpstream } from '../agent-by-variable.ts';
import { baseUrl, mountOf } from '../settings/provider-mount.ts';
import { settingsFile, textAt } from '../settings/settings-object.ts';
import { takenParameter } from '../taken-parameter.ts';
import { keepChanges, providersOf, withUrl } from './provider-settings.ts';

const FILE = 'CLINE_PROVIDER_SETTINGS_PATH';
/** With `local`, this process sends the requests; else one in the background does, which stays. */
const BACKEND = 'CLINE_SESSION_BACKEND_MODE';
const DEFAULT_PROVIDER = 'cline';
/** Base URLs of providers without one in the settings. Source: Cline CLI 3.0.65. */
const KNOWN: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  'openai-native': 'https://api.openai.com/v1',
  'openai-compatible': 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  deepseek: 'https://api.deepseek.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Where Cline keeps its providers. */
function ownFile({ parameters, environment, home }: AgentStart): string {
  const folder =
    takenParameter(parameters, '--config').given ?? (environment['CLINE_DIR'] || path.join(home, '.cline'));
  const data = environment['CLINE_DATA_DIR'] || path.join(folder, 'data');
  return environment[FILE] || path.join(data, 'settings/providers.json');
}

const isSandboxed = ({ parameters, environment }: AgentStart): boolean =>
  environment['CLINE_SANDBOX'] === '1' || parameters.some((one) => /^--data-dir(?:=|$)/.test(one));

/** Cline CLI. Source: 3.0.65; each provider takes a `baseUrl` in its settings. */
export const clineCli: WrappedAgent = {
  command: 'cline',
  agent: 'cline',
  install: 'npm install -g cline',
  trial: {
    parameters: ['--retries', '1', '-P', 'anthropic', '-k', 'invented', '-m', 'claude-sonnet-4-5', 'say hello'],
    environment: {},
  },
  async route(start) {
    const { parameters, folder: working, upstream } = start;
    if (isSandboxed(start))
      throw new CompressionStrategyError(
        'Cline with --data-dir or CLINE_SANDBOX takes its providers from there only, so its requests cannot be proxied.',
        'USAGE',
      );
    const own = path.resolve(working, ownFile(start));
    const settings = (await settingsFile(own)) ?? { version: 1 };
    const providers = providersOf(settings);
    const { given } = takenParameter(parameters, '-P', '--provider');
    const used = given ?? textAt(settings, 'lastUsedProvider') ?? DEFAULT_PROVIDER;
    const mounts: Record<string, Mount> = {};
    for (const name of new Set([...Object.keys(providers), used])) {
      const url = upstream?.href ?? textAt(providers, name, 'settings', 'baseUrl') ?? KNOWN[name];
      if (url !== undefined) mounts[name] = mountOf(baseUrl(url, `the baseUrl of Cline's provider "${name}"`));
    }
    if (mounts[used] === undefined) throw unknownUpstream('cline', `baseUrl of its provider "${used}"`);
    return {
      mounts: Object.values(mounts),
      unguarded: 'Cline CLI is not asked by a hook yet',
      async point({ proxyUrl }, folder) {
        const file = path.join(folder, 'providers.json');
        const addresses: Record<string, string> = {};
        const entries = { ...providers };
        for (const [name, mount] of Object.entries(mounts)) {
          addresses[name] = addressOf(proxyUrl, mount);
          entries[name] = withUrl(name, providers[name], addresses[name]);
        }
        const pointed = { ...settings, providers: entries };
        await writeFile(file, JSON.stringify(pointed), { mode: OWNER_FILE_MODE });
        return {
          parameters,
          environment: { [FILE]: file, [BACKEND]: 'local' },
          ended: () => keepChanges({ file, pointed, addresses }, own),
        };
      },
    };
  },
};
