import { describe, expect, test } from 'vitest';
import { CompressionExecutionError, CompressionStrategyError } from '../../src/errors.ts';
import { fromErrorData, toErrorData } from '../../src/threads/answer.ts';

const crossed = (error: unknown): Error => fromErrorData(structuredClone(toErrorData(error)));

describe('an error that crosses', () => {
  test('keeps class, name, message, code, stack, own fields and cause (docs/readings.md, row 30)', () => {
    const cause = Object.assign(new TypeError('connection reset'), { code: 'ECONNRESET', syscall: 'read' });
    const error = new CompressionExecutionError('high-density', cause, { isTransient: true });
    const arrived = crossed(error);
    expect(arrived).toBeInstanceOf(CompressionStrategyError);
    expect(arrived).toMatchObject({
      name: 'CompressionExecutionError',
      message: error.message,
      code: 'EXECUTION_FAILED',
      strategy: 'high-density',
      isTransient: true,
      stack: error.stack,
      cause: { name: 'TypeError', message: 'connection reset', code: 'ECONNRESET', syscall: 'read' },
    });
  });

  test('keeps the errors of an AggregateError', () => {
    const arrived = crossed(new AggregateError([new Error('one'), new RangeError('two')], 'both'));
    expect(arrived).toBeInstanceOf(AggregateError);
    expect((arrived as AggregateError).errors.map(({ name, message }) => [name, message])).toEqual([
      ['Error', 'one'],
      ['RangeError', 'two'],
    ]);
  });

  test('is made of what was thrown when that is no error', () => {
    expect(crossed('just text').message).toBe('just text');
    expect(crossed(undefined).message).toBe('undefined');
  });

  test('ends with the eighth cause, so that a cycle of causes crosses', () => {
    const error = new Error('loop');
    error.cause = error;
    let depth = 0;
    for (let at: unknown = crossed(error); at instanceof Error; at = at.cause) depth++;
    expect(depth).toBe(9);
  });
});
