import { readFile } from 'node:fs/promises';
import { type CallableTool, GoogleGenAI } from '@google/genai';
import { prunedFetch } from 'high-density/fetch';

const parametersJsonSchema = { type: 'object', properties: { path: { type: 'string' } } };
const read: CallableTool = {
  tool: async () => ({ functionDeclarations: [{ name: 'read', parametersJsonSchema }] }),
  callTool: async ([call]) => {
    const output = await readFile(String(call?.args?.['path']), 'utf8');
    return [{ functionResponse: { ...call, response: { output } } }];
  },
};
/** What the model answers after as many calls of its tool as it wants. */
export async function answer(contents: string): Promise<string> {
  const google = new GoogleGenAI({ httpOptions: { fetch: prunedFetch({ workspaceRoot: process.cwd() }) } });
  const request = { model: 'gemini-2.5-pro', contents, config: { tools: [read] } };
  return (await google.models.generateContent(request)).text ?? '';
}
