import { type CompactOptions, compactMessages, type Message } from 'high-density/compact';

export interface Agent {
  /** One call of the model. */
  askModel(messages: readonly Message[]): Promise<Message>;
  /** The user message with the results of the answer's tool calls; undefined when it has none. */
  runTools(answer: Message): Promise<Message | undefined>;
}

/** Answers a prompt, with as many rounds of tools as it takes, and never sends more than fits. */
export async function say(
  prompt: string,
  { messages, agent, options = {} }: { messages: Message[]; agent: Agent; options?: CompactOptions },
): Promise<Message[]> {
  // Before the prompt is added, so that the model gets the prompt itself and not a summary of it.
  let list = (await compactMessages(messages, options)).messages;
  list.push({ role: 'user', content: prompt });
  for (;;) {
    const answer = await agent.askModel(list);
    list.push(answer);
    const results = await agent.runTools(answer);
    if (results === undefined) return list;
    list.push(results);
    const { messages: fitting, compacted } = await compactMessages(list, options);
    list = fitting;
    // A compacted list ends with the assistant's word; the model goes on from its summary.
    if (compacted) list.push({ role: 'user', content: 'Continue.' });
  }
}
