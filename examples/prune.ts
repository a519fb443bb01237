import {
  createEphemerals,
  createHistoryService,
  createToolResponse,
  createUserMessage,
  PreSendGate,
} from 'high-density';

const model = 'claude-sonnet-4-5';
const history = createHistoryService({ engine: 'inline', model }); // or 'offloaded': the work is done on threads
const runtimeContext = { workspaceRoot: process.cwd(), ephemerals: createEphemerals([], { model }) };
const gate = new PreSendGate(history, { runtimeContext, runtimeState: { model } });
const call = (id: string, name: string) =>
  ({ type: 'tool_call', id, name, parameters: { path: 'server.ts' } }) as const;

history.addAll([
  createUserMessage('Use port 8080.'),
  { speaker: 'ai', blocks: [call('1', 'read_file')] },
  createToolResponse('1', 'read_file', 'const port = 3000;'),
  { speaker: 'ai', blocks: [call('2', 'write_file')] },
  createToolResponse('2', 'write_file', 'done'),
]);
await gate.ensureCompressionBeforeSend('turn 1'); // removes the read: its file was written later
console.log(history.getCuratedForProvider()); // the user, the write and its result: fit to send
history.dispose();
