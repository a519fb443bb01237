import { agentByVariable } from './agent-by-variable.ts';

/** Droid with the models of its own service. Requests of `customModels` go past. Source: Factory 0.225.2, run against a scripted model. */
export const droid = agentByVariable(
  { name: 'FACTORY_API_BASE_URL', standard: 'https://api.factory.ai' },
  {
    command: 'droid',
    agent: 'droid',
    install: 'npm install -g @factory/cli',
    trial: { parameters: ['exec', 'hello'], environment: { FACTORY_API_KEY: 'fk-invented' } },
  },
  'Droid takes hooks from files of settings only',
);
