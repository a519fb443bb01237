import { type Fields, recordsOf } from '../../../content/foreign-value.ts';
import { checkMarks, checkPairs, checkServerCalls, messagesOf } from './anthropic-request.ts';
import { checkEmptyAnswer } from './empty-answer.ts';
import { checkSigned, checkTurns, turnsOf } from './gemini-request.ts';
import { checkChat, checkItemPairs } from './openai-requests.ts';

/** Checks of a body, each on its own. They throw RuleBroken. */
export interface RequestRules {
  /** Where its messages are. */
  readonly key: string;
  /** What every model refuses. */
  readonly always: readonly ((body: Fields) => void)[];
  /** What newer models refuse. */
  readonly newer?: (body: Fields) => void;
}

/** The rules of the strict provider that need no more than the body, by format. */
export const REQUEST_RULES: ReadonlyMap<string, RequestRules> = new Map<string, RequestRules>([
  [
    'anthropic-messages',
    {
      key: 'messages',
      always: [
        checkEmptyAnswer,
        (body) => checkMarks(body, messagesOf(body['messages'])),
        (body) => checkServerCalls(messagesOf(body['messages'])),
        (body) => checkPairs(messagesOf(body['messages'])),
      ],
    },
  ],
  ['openai-chat', { key: 'messages', always: [(body) => checkChat(recordsOf(body['messages']))] }],
  ['openai-responses', { key: 'input', always: [(body) => checkItemPairs(recordsOf(body['input']))] }],
  [
    'gemini-api',
    {
      key: 'contents',
      always: [(body) => checkTurns(turnsOf(recordsOf(body['contents'])))],
      newer: (body) => checkSigned(turnsOf(recordsOf(body['contents']))),
    },
  ],
]);
