import { CompressionStrategyError } from '../../errors.ts';
import type { WrappedAgent } from './agent.ts';
import { addressOf, unknownUpstream } from './agent-by-variable.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';

const MODEL = 'KIMI_MODEL_NAME';
const TYPE = 'KIMI_MODEL_PROVIDER_TYPE';
const BASE_URL = 'KIMI_MODEL_BASE_URL';
/** Where its variables send requests without a base URL, by the type of the provider. Source: `env-model.ts` of kimi-code 2.1.0. */
const BY_TYPE: Readonly<Record<string, string>> = {
  kimi: 'https://api.moonshot.ai/v1',
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  openai_responses: 'https://api.openai.com/v1',
};

/**
 * Kimi Code with a model of its variables. A login is stored under its base URL, so with another one it would not be found.
 * Source: https://moonshotai.github.io/kimi-code/en/configuration/env-vars
 */
export const kimiCode: WrappedAgent = {
  command: 'kimi',
  agent: 'kimi-code',
  install: 'npm install -g @moonshot-ai/kimi-code',
  trial: {
    parameters: ['-p', 'hello'],
    environment: { [MODEL]: 'claude-sonnet-4-5', [TYPE]: 'anthropic', KIMI_MODEL_API_KEY: 'invented' },
  },
  async route({ parameters, environment, upstream }) {
    if (!environment[MODEL])
      throw new CompressionStrategyError(
        `Only a model that ${MODEL} names can be sent through the proxy: set it, and KIMI_MODEL_API_KEY. Kimi Code keeps a login under the address of its provider, and takes the others from config.toml.`,
        'USAGE',
      );
    const type = (environment[TYPE] || 'kimi').toLowerCase();
    const own = environment[BASE_URL] || BY_TYPE[type];
    if (upstream === undefined && own === undefined) throw unknownUpstream('kimi', BASE_URL);
    const mount = mountOf(upstream ?? baseUrl(own!, BASE_URL));
    return {
      mounts: [mount],
      unguarded: 'Kimi Code takes hooks from files only',
      point: async ({ proxyUrl }) => ({ parameters, environment: { [BASE_URL]: addressOf(proxyUrl, mount) } }),
    };
  },
};
