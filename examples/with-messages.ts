import { createPruner } from 'high-density/live';

const pruner = createPruner({ workspaceRoot: process.cwd() });

/** What to send for this list of messages; your own list keeps everything. */
export const toSend = <Message>(messages: Message[], model: string): Promise<Message[]> =>
  pruner.pruneMessages(messages, { model });
