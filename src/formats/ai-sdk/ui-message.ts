import type { MessageDialect } from '../messages/message-list.ts';
import { uiMessageChanges } from './ui-changes.ts';
import { newUiMessages } from './ui-create.ts';
import { readUiMessage } from './ui-read.ts';

/**
 * UI messages of the AI SDK, `{id, role, parts}`. A message of the assistant contains several steps; each is one answer
 * and its results, which share a part with their calls. Sources, data parts and incomplete calls are not sent.
 */
export const uiMessages: MessageDialect = {
  reader: () => readUiMessage,
  changes: uiMessageChanges,
  create: newUiMessages,
};
