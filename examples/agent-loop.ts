import {
  createEphemerals,
  createHistoryService,
  createUserMessage,
  type IContent,
  PreSendGate,
  type ToolCallBlock,
} from 'high-density';

interface Agent {
  readonly model: string;
  readonly workspaceRoot: string;
  readonly askModel: (entries: readonly IContent[]) => Promise<IContent>;
  readonly runTool: (call: ToolCallBlock) => Promise<IContent>;
}

export function startConversation({ model, workspaceRoot, askModel, runTool }: Agent) {
  const history = createHistoryService({ engine: 'offloaded', model });
  const ephemerals = createEphemerals([{ 'compression.strategy': 'high-density' }], { model });
  const gate = new PreSendGate(history, { runtimeContext: { workspaceRoot, ephemerals }, runtimeState: { model } });
  const say = async (text: string): Promise<IContent> => {
    history.add(createUserMessage(text));
    for (;;) {
      await gate.ensureCompressionBeforeSend('say'); // prunes, counts, compresses if it must
      const answer = await askModel(history.getCuratedForProvider());
      history.add(answer);
      const calls = answer.blocks.filter((block) => block.type === 'tool_call');
      if (calls.length === 0) return answer;
      for (const call of calls) history.add(await runTool(call));
    }
  };
  return { say, history };
}
