import type { Conversation, ConversationOptions } from '../../../chat/conversation.ts';

/** Opens a conversation for a screen that shows its events and answers its questions. */
export type OpenConversation = (screen: Pick<ConversationOptions, 'emit' | 'approve'>) => Conversation;
