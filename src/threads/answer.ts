import { type ErrorData, toErrorData } from './error-data.ts';

/** What a thread answers: the value, or what was thrown there. */
export type Answer<Value> = { readonly value: Value } | { readonly error: ErrorData };

/** `perform` as a worker's default export: what it throws is an answer too, and does not count as a lost thread. */
export const answering =
  <Request, Value>(perform: (request: Request) => Value | Promise<Value>) =>
  async (request: Request): Promise<Answer<Value>> => {
    try {
      return { value: await perform(request) };
    } catch (error) {
      return { error: toErrorData(error) };
    }
  };
