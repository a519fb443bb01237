import path from 'node:path';
import type { WrappedAgent } from './agent.ts';
import { baseUrl, mountOf } from './provider-mount.ts';
import { settingsFile, textAt } from './settings-object.ts';

const API_URL = 'GOOGLE_GEMINI_BASE_URL';
const LOGIN_URL = 'CODE_ASSIST_ENDPOINT';
const API = 'https://generativelanguage.googleapis.com';
const CODE_ASSIST = 'https://cloudcode-pa.googleapis.com';

export const geminiCli: WrappedAgent = {
  command: 'gemini',
  agent: 'gemini-cli',
  install: 'npm install -g @google/gemini-cli',
  async route({ environment, home, parameters, upstream }) {
    const settings = await settingsFile(path.join(home, '.gemini/settings.json'));
    const kind = textAt(settings, 'security', 'auth', 'selectedType');
    // With this variable Gemini CLI wants a key, so a login keeps its own address.
    const hasKey = kind === undefined ? environment['GEMINI_API_KEY'] !== undefined : kind === 'gemini-api-key';
    const api = mountOf(upstream ?? baseUrl(environment[API_URL] || API, API_URL));
    const login = mountOf(upstream ?? baseUrl(environment[LOGIN_URL] || CODE_ASSIST, LOGIN_URL));
    return {
      mounts: [api, login],
      point: async (proxyUrl) => ({
        parameters,
        environment: hasKey ? { [API_URL]: `${proxyUrl}${api.path}` } : { [LOGIN_URL]: `${proxyUrl}${login.path}` },
      }),
    };
  },
};
