import path from 'node:path';
import { CompressionStrategyError } from '../../errors.ts';
import type { WrappedAgent } from './agent.ts';
import { fileVariables } from './settings/environment-file.ts';
import { baseUrl, mountOf } from './settings/provider-mount.ts';
import { settingsFile, textAt } from './settings/settings-object.ts';

const API_URL = 'GOOGLE_GEMINI_BASE_URL';
const LOGIN_URL = 'CODE_ASSIST_ENDPOINT';
const VERTEX_URL = 'GOOGLE_VERTEX_BASE_URL';
const SETTINGS = '.gemini/settings.json';
const KEY_SETTINGS = { security: { auth: { selectedType: 'gemini-api-key' } } };
const API = 'https://generativelanguage.googleapis.com';
const CODE_ASSIST = 'https://cloudcode-pa.googleapis.com';

/** How Gemini CLI pays: with a key, with a login, or by a Google cloud. Source: Gemini CLI 0.61.0, `getAuthTypeFromEnv`. */
function kindOf(selected: string | undefined, variable: (name: string) => string | undefined) {
  if (selected === 'vertex-ai') return 'cloud';
  if (selected !== undefined) return selected === 'gemini-api-key' || selected === 'gateway' ? 'key' : 'login';
  if (variable('GOOGLE_GENAI_USE_GCA') === 'true') return 'login';
  if (variable('GOOGLE_GENAI_USE_VERTEXAI') === 'true') return 'cloud';
  return variable(API_URL) || variable('GEMINI_API_KEY') ? 'key' : 'login';
}

export const geminiCli: WrappedAgent = {
  command: 'gemini',
  agent: 'gemini-cli',
  install: 'npm install -g @google/gemini-cli',
  trial: {
    parameters: ['--skip-trust', '-m', 'gemini-2.5-pro', '-p', 'hello'],
    environment: { GEMINI_API_KEY: 'invented' },
    files: { [SETTINGS]: JSON.stringify(KEY_SETTINGS) },
  },
  async route(start) {
    const { environment, home, folder, parameters, upstream } = start;
    const fromFile = await fileVariables(start, '.gemini');
    const variable = (name: string): string | undefined => environment[name] ?? fromFile[name];
    const files = [folder, home].map((one) => settingsFile(path.join(one, SETTINGS)));
    const [selected] = (await Promise.all(files)).flatMap(
      (layer) => textAt(layer, 'security', 'auth', 'selectedType') ?? [],
    );
    const kind = kindOf(selected, variable);
    // With the variable of the API Gemini CLI wants a key, so a login keeps its own.
    const [name, usual] = {
      key: [API_URL, API] as const,
      login: [LOGIN_URL, CODE_ASSIST] as const,
      cloud: [VERTEX_URL, undefined] as const,
    }[kind];
    const url = upstream?.href ?? (variable(name) || usual);
    if (url === undefined) {
      throw new CompressionStrategyError(
        `Where Gemini CLI sends its requests to Vertex AI depends on your project: name it with --upstream or ${VERTEX_URL}.`,
        'USAGE',
      );
    }
    // With a base URL in the environment it does not see by itself that a key pays, and ends with "Invalid auth method".
    if (kind === 'key' && selected === undefined && !variable(API_URL)) {
      throw new CompressionStrategyError(
        `Gemini CLI takes a key behind another base URL only if its settings say so. Choose "Use Gemini API key" in it once, or put ${JSON.stringify(KEY_SETTINGS)} into ${path.join(home, SETTINGS)}.`,
        'USAGE',
      );
    }
    const mount = mountOf(baseUrl(url, name));
    return {
      mounts: [mount],
      unguarded: 'Gemini CLI takes hooks from files of settings only',
      point: async ({ proxyUrl }) => ({ parameters, environment: { [name]: `${proxyUrl}${mount.path}` } }),
    };
  },
};
