import { createEphemerals, createHistoryService, createToolResponse, PreSendGate } from 'high-density';
import { BUILT_IN_PROFILES } from 'high-density/settings';

const model = 'claude-sonnet-4-5';
const history = createHistoryService({ engine: 'inline', model }); // or 'offloaded': threads do the work of a long history
const ephemerals = createEphemerals([BUILT_IN_PROFILES.recommended], { model }); // the rules that the command uses
const gate = new PreSendGate(history, {
  runtimeContext: { workspaceRoot: process.cwd(), ephemerals },
  runtimeState: { model },
  onRemoved: ({ changes }) => {
    for (const { block, edits } of changes.flatMap(({ blocks }) => blocks))
      console.log(`removed: ${block.type} (${edits.at(-1)?.reason.rule})`);
  },
});

history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Use port 8080.' }] });
const parameters = { path: 'server.ts' };
const text = Array.from({ length: 40 }, (_, at) => `server.listen(${at + 8000});`).join('\n');
for (const id of ['1', '2']) {
  history.add({ speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read_file', parameters }] });
  history.add(createToolResponse(id, 'read_file', text));
}
const { tokensBefore, tokensAfter } = await gate.ensureCompressionBeforeSend('turn 1'); // the second read shows the same lines
console.log(`${tokensBefore} → ${tokensAfter} tokens, to send:`, history.getCuratedForProvider()); // the user and one read
history.dispose();
