import { CompressionStrategyError, type ErrorCode } from '../errors.ts';

/** An error as data, because structured clone drops `name`, `code` and own fields; a thrown value that is no error as text. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Whether it is this package's own error class. */
  readonly isOwn: boolean;
  /** Own fields that are text, numbers or booleans, `code` among them. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  readonly cause?: ErrorData;
  /** The errors in an `AggregateError`. */
  readonly errors?: readonly ErrorData[];
}

const MAX_CAUSES = 8;
const MAX_ERRORS = 100;

function plainFields(error: Error): ErrorData['fields'] {
  const fields: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(error)) {
    if (key === 'name' || key === 'message' || key === 'stack') continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields[key] = value;
  }
  return fields;
}

/** `error` as plain data that survives structured clone: name, message, stack, own fields, cause and errors. */
export function toErrorData(error: unknown, depth = 0): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), isOwn: false, fields: {} };
  const { cause } = error;
  return {
    name: error.name,
    message: error.message,
    isOwn: error instanceof CompressionStrategyError,
    fields: plainFields(error),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: toErrorData(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < MAX_CAUSES && { errors: error.errors.slice(0, MAX_ERRORS).map((one) => toErrorData(one, depth + 1)) }),
  };
}

/** The error that was thrown on the thread, with its name, message, code, own fields, cause and errors. */
export function fromErrorData(data: ErrorData): Error {
  const cause = data.cause === undefined ? undefined : fromErrorData(data.cause);
  const error = Object.assign(createError(data, cause), data.fields);
  if (error.name !== data.name) error.name = data.name;
  if (data.stack !== undefined) error.stack = data.stack;
  return error;
}

function createError({ message, isOwn, fields, errors }: ErrorData, cause: Error | undefined): Error {
  const options = cause && { cause };
  if (errors) return new AggregateError(errors.map(fromErrorData), message, options);
  if (isOwn) return new CompressionStrategyError(message, fields['code'] as ErrorCode, { cause });
  return new Error(message, options);
}

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
