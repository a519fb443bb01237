import { readFile } from 'node:fs/promises';
import { Agent, type AgentTool } from '@mariozechner/pi-agent-core';
import { getModel, Type } from '@mariozechner/pi-ai';
import { prunedContext } from 'high-density/pi';

const parameters = Type.Object({ path: Type.String() });
const read: AgentTool<typeof parameters> = {
  name: 'read',
  label: 'Read',
  description: 'Reads a file',
  parameters,
  execute: async (_, { path }) => ({ content: [{ type: 'text', text: await readFile(path, 'utf8') }], details: {} }),
};

/** The roles of the messages after the agent has called its tool as often as it wants. `baseUrl`: of another provider. */
export async function roles(prompt: string, baseUrl?: string): Promise<string[]> {
  const model = { ...getModel('anthropic', 'claude-haiku-4-5'), ...(baseUrl && { baseUrl }) };
  const transformContext = prunedContext({ workspaceRoot: process.cwd() });
  const agent = new Agent({ initialState: { model, tools: [read] }, transformContext });
  await agent.prompt(prompt);
  return agent.state.messages.map(({ role }) => role);
}
