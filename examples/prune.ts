import { createEphemerals, createHistoryService, createToolResponse, PreSendGate } from 'high-density';

const model = 'claude-sonnet-4-5';
const history = createHistoryService({ engine: 'inline', model }); // or 'offloaded': the work is done on threads
const runtimeContext = { workspaceRoot: process.cwd(), ephemerals: createEphemerals([], { model }) };
const gate = new PreSendGate(history, { runtimeContext, runtimeState: { model } });

history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Use port 8080.' }] });
for (const [id, name] of [['1', 'read_file'] as const, ['2', 'write_file'] as const]) {
  history.add({ speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters: { path: 'server.ts' } }] });
  history.add(createToolResponse(id, name, `what ${name} returned`));
}
await gate.ensureCompressionBeforeSend('turn 1'); // removes the read: its file was written later
console.log(JSON.stringify(history.getCuratedForProvider(), null, 2)); // the user, the write and its result: fit to send
history.dispose();
