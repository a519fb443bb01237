import path from 'node:path';
import type { AgentStart, WrappedAgent } from './agent.ts';
import { agentByVariable } from './agent-by-variable.ts';
import { settingsFile, textAt } from './settings/settings-object.ts';

const BASE_URL = 'COPILOT_PROVIDER_BASE_URL';
const PROXY_VARIABLE = /^(?:all|https?)_proxy$/i;

/** Names of settings, from those of the person to those of the project. Source: `copilot help config` of 1.0.102. */
const settingsFiles = ({ environment, home, folder }: AgentStart): string[] => {
  const own = environment['COPILOT_HOME'] ?? path.join(home, '.copilot');
  const project = path.join(folder, '.github/copilot');
  return [
    ...['config.json', 'settings.json'].map((name) => path.join(own, name)),
    ...['settings.json', 'settings.local.json'].map((name) => path.join(project, name)),
  ];
};

/** True where neither its variables nor its settings name a proxy; other systems than Linux may have one too. */
async function hasNoProxy(start: AgentStart): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  if (Object.entries(start.environment).some(([name, value]) => value && PROXY_VARIABLE.test(name))) return false;
  const layers = await Promise.all(settingsFiles(start).map(settingsFile));
  return layers.every((layer) => textAt(layer, 'proxyUrl') === undefined);
}

const byVariable = agentByVariable(
  { name: BASE_URL },
  {
    command: 'copilot',
    agent: 'copilot-cli',
    install: 'npm install -g @github/copilot',
    trial: {
      parameters: ['--allow-all-tools', '-p', 'hello'],
      environment: {
        [BASE_URL]: 'https://api.openai.com/v1',
        COPILOT_PROVIDER_API_KEY: 'invented',
        COPILOT_MODEL: 'gpt-5',
        COPILOT_OFFLINE: 'true',
      },
    },
  },
  'Copilot CLI takes hooks from files only',
);

/** Copilot CLI with a provider of one's own. Requests to GitHub's models go past. Source: `copilot help providers` of 1.0.102. */
export const copilotCli: WrappedAgent = {
  ...byVariable,
  // It notes `NO_PROXY` in its log.
  route: async (start) => ({ ...(await byVariable.route(start)), isDirect: await hasNoProxy(start) }),
};
