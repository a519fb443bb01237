import { type Fields, recordsOf } from '../../content/foreign-value.ts';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { Api } from './api.ts';

/** How both APIs of OpenAI write errors and counts. */
export const openaiWire: Pick<Api, 'count' | 'refuse' | 'tooLong'> = {
  count: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  refuse: ({ message, code, parameter }) => ({
    error: { message, type: 'invalid_request_error', param: parameter, code },
  }),
  tooLong: () =>
    new RuleBroken('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      code: 'context_length_exceeded',
      parameter: 'input',
    }),
};

/** The arguments of a call as both APIs write them. */
export const argumentsText = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input ?? {});

/** The parts before the messages. */
export function constantParts(body: Fields): object[] {
  const { tools, instructions } = body;
  return [...recordsOf(tools), ...(typeof instructions === 'string' && instructions !== '' ? [{ instructions }] : [])];
}
