import type { WrappedAgent } from './agent.ts';
import { agentByVariable } from './agent-by-variable.ts';

/** Any other command, whose base URL is in an environment variable. */
export const otherAgent = (command: string, variable: string): WrappedAgent =>
  agentByVariable(
    { name: variable },
    {
      command,
      agent: command,
      install: `see the documentation of ${command}`,
      trial: { parameters: [], environment: {} },
    },
    'its hooks are not known',
  );
