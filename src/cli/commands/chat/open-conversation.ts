import type { Conversation, ConversationOptions } from '../../../chat/conversation.ts';

/** Opens the conversation for a screen that hears its events and answers what is asked. */
export type OpenConversation = (screen: Pick<ConversationOptions, 'emit' | 'approve'>) => Conversation;
