import type { ErrorData } from './protocol.ts';

const MAX_CAUSES = 8;

/** `error` as plain data that survives structured clone: name, message, code, stack and causes. */
export function toErrorData(error: unknown, depth = 0): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: toErrorData(error.cause, depth + 1) }),
  };
}

/** The error that was thrown on the thread, with its name, message, code and causes. */
export function fromErrorData(data: ErrorData): Error {
  const cause = data.cause === undefined ? undefined : { cause: fromErrorData(data.cause) };
  const error = new Error(data.message, cause);
  error.name = data.name;
  if (data.stack !== undefined) error.stack = data.stack;
  return data.code === undefined ? error : Object.assign(error, { code: data.code });
}
