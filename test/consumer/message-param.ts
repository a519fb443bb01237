/** Compiled against the packed package and the types of Anthropic's SDK: see test/package/package.test.ts. */
import { compactMessages, type Message } from 'high-density/compact';
import type { MessageParam as NewParam } from 'sdk-new/resources/messages';
import type { MessageParam as OldParam } from 'sdk-old/resources/messages';

type WithoutSystem = Message & { role: 'user' | 'assistant' };

export const toMessage: readonly [(param: OldParam) => Message, (param: NewParam) => Message] = [
  (param) => param,
  (param) => param,
];
export const fromMessage: readonly [(message: WithoutSystem) => OldParam, (message: WithoutSystem) => NewParam] = [
  (message) => message,
  (message) => message,
];

/** Lists keep the type of the SDK. */
export const compacted = async (old: OldParam[], latest: NewParam[]): Promise<[OldParam[], NewParam[]]> => [
  (await compactMessages(old)).messages,
  (await compactMessages(latest)).messages,
];

// @ts-expect-error A message has a role of the API.
export const wrongRole: Message = { role: 'tool', content: 'text' };
