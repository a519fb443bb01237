import path from 'node:path';
import type { Mount } from '../contract.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { addressOf } from './agent-by-variable.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { textAt } from './settings/settings-object.ts';
import { tomlFile } from './settings/toml-file.ts';

/** Where Grok sends requests after a login, with a key, and, if a person has set it, in place of both. */
const ENDPOINTS = [
  {
    variable: 'GROK_CLI_CHAT_PROXY_BASE_URL',
    setting: 'cli_chat_proxy_base_url',
    url: 'https://cli-chat-proxy.grok.com/v1',
  },
  { variable: 'GROK_XAI_API_BASE_URL', setting: 'xai_api_base_url', url: 'https://api.x.ai/v1' },
  { variable: 'GROK_MODELS_BASE_URL', setting: 'models_base_url', url: undefined },
] as const;

const configOf = ({ environment, home }: AgentStart) =>
  tomlFile(path.join(environment['GROK_HOME'] ?? path.join(home, '.grok'), 'config.toml'));

/** Grok of xAI. Models with a `base_url` of their own go past. Source: the guide in Grok 1.0.41, run with a key against a scripted model. */
export const grok: WrappedAgent = {
  command: 'grok',
  agent: 'grok',
  install: 'npm install -g @xai-official/grok',
  trial: { parameters: ['--no-auto-update', '-p', 'hello'], environment: { XAI_API_KEY: 'invented' } },
  async route(start) {
    const { environment, parameters, upstream } = start;
    const config = await configOf(start);
    const mounts = new Map<string, Mount>();
    for (const { variable, setting, url } of ENDPOINTS) {
      const own = (environment[variable] || textAt(config, 'endpoints', setting)) ?? url;
      // It changes how Grok logs in, so it is never set where a person has not set it.
      if (own !== undefined) mounts.set(variable, mountOf(upstream ?? baseUrl(own, variable)));
    }
    return {
      mounts: [...mounts.values()],
      unguarded: 'Grok takes hooks from files only',
      point: async ({ proxyUrl }) => ({
        parameters,
        environment: Object.fromEntries([...mounts].map(([name, mount]) => [name, addressOf(proxyUrl, mount)])),
      }),
    };
  },
};
