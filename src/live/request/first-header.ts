import type { LiveRequest } from '../contract.ts';

/** The first value of the first of these headers that has one. */
export function firstHeader(headers: LiveRequest['headers'], names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers?.[name];
    const one = typeof value === 'string' ? value : value?.[0];
    if (one !== undefined && one !== '') return one;
  }
  return undefined;
}
