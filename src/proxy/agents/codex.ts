import path from 'node:path';
import { CompressionStrategyError } from '../../errors.ts';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { textAt } from './settings/settings-object.ts';
import { tomlFile } from './settings/toml-file.ts';
import { takenParameter } from './taken-parameter.ts';

const OPENAI = 'https://api.openai.com/v1';
/** Where Codex sends its requests after a login by ChatGPT, unless `openai_base_url` says otherwise. */
const CHATGPT = 'https://chatgpt.com/backend-api/codex';

const configFile = ({ environment, home }: AgentStart, name: string) =>
  tomlFile(path.join(environment['CODEX_HOME'] ?? path.join(home, '.codex'), name));

/** The last value of `-c key=value` for a key, without its quotes, and the parameters without any of them. */
function overrideOf(parameters: readonly string[], key: string): { value: string | undefined; rest: string[] } {
  let value: string | undefined;
  const rest: string[] = [];
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at]!;
    const isFlag = parameter === '-c' || parameter === '--config';
    const given = isFlag ? parameters[at + 1] : /^--config=(.*)$/s.exec(parameter)?.[1];
    const [name, text] = given?.split(/=(.*)/s) ?? [];
    if (name !== key || text === undefined) {
      rest.push(parameter);
      continue;
    }
    value = text.replace(/^(?:"(.*)"|'(.*)')$/s, '$1$2');
    if (isFlag) at++;
  }
  return { value, rest };
}

export const codex: WrappedAgent = {
  command: 'codex',
  agent: 'codex',
  install: 'npm install -g @openai/codex',
  trial: {
    parameters: ['exec', '--skip-git-repo-check', 'hello'],
    environment: { CODEX_API_KEY: 'invented' },
  },
  async route(start) {
    const config = await configFile(start, 'config.toml');
    // Settings in `<name>.config.toml` win over `config.toml`.
    const { given: name } = takenParameter(start.parameters, '-p', '--profile');
    const layers = [...(name === undefined ? [] : [await configFile(start, `${name}.config.toml`)]), config];
    const setting = (...keys: string[]): string | undefined =>
      overrideOf(start.parameters, keys.join('.')).value ??
      layers.map((layer) => textAt(layer, ...keys)).find((value) => value !== undefined);
    const provider = setting('model_provider') ?? 'openai';
    const key = provider === 'openai' ? ['openai_base_url'] : ['model_providers', provider, 'base_url'];
    const own = start.upstream?.href ?? setting(...key);
    if (own === undefined && provider !== 'openai') {
      throw new CompressionStrategyError(
        `The base URL of Codex's model provider "${provider}" is not known. Name it with --upstream.`,
        'USAGE',
      );
    }
    const mount = mountOf(
      baseUrl(own ?? OPENAI, key.join('.')),
      own === undefined ? { chatGptUpstream: new URL(CHATGPT) } : {},
    );
    return {
      mounts: [mount],
      unguarded: 'Codex runs only hooks that a person has trusted; the plugin has one',
      // Its command line is the only place that changes no file; the proxy adds no credential, so its token opens nothing.
      point: async ({ proxyUrl }) => ({
        parameters: [
          '-c',
          `${key.join('.')}=${JSON.stringify(`${proxyUrl}${mount.path}`)}`,
          // An own base URL would win over ours: it is where the proxy sends the requests.
          ...overrideOf(start.parameters, key.join('.')).rest,
        ],
        environment: {},
      }),
    };
  },
};
