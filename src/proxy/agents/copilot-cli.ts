import { agentByVariable } from './agent-by-variable.ts';

const BASE_URL = 'COPILOT_PROVIDER_BASE_URL';

/** Copilot CLI with a provider of one's own. Requests to GitHub's models go past. Source: `copilot help providers` of 1.0.102. */
export const copilotCli = agentByVariable(
  BASE_URL,
  {
    command: 'copilot',
    agent: 'copilot-cli',
    install: 'npm install -g @github/copilot',
    trial: {
      parameters: ['--allow-all-tools', '-p', 'hello'],
      environment: {
        [BASE_URL]: 'https://api.openai.com/v1',
        ...{ COPILOT_PROVIDER_API_KEY: 'invented', COPILOT_MODEL: 'gpt-5', COPILOT_OFFLINE: 'true' },
      },
    },
  },
  'Copilot CLI takes hooks from files only',
);
