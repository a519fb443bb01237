import fc from 'fast-check';
import type { ContentBlock, IContent } from '../../src/content/content.ts';

class Point {
  readonly x: number;
  #hidden = 3;
  constructor(x: number) {
    this.x = x;
  }
  get sum(): number {
    return this.x + this.#hidden;
  }
}

class Amount {
  readonly cents = 250;
  toJSON(): string {
    return '2.50 EUR';
  }
}

function circular(): object {
  const value: Record<string, unknown> = { file_path: 'src/loop.ts' };
  value['self'] = value;
  value['list'] = [value, { back: value }];
  return value;
}

function shared(): object {
  const part = { text: 'shared part' };
  return { file_path: 'a.ts', left: part, right: part, again: [part, part] };
}

export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What no structured clone carries, or carries as something else. */
const UNCLONABLE: readonly (() => unknown)[] = [
  () => () => 'function',
  () => Symbol('symbol'),
  () => ({ file_path: 'a.ts', callback: () => 1, symbol: Symbol('s'), list: [() => 2, undefined, 3] }),
  () => new Point(4),
  () => ({ file_path: 'b.ts', amount: new Amount(), at: new Date(0), pattern: /x+/g }),
  () => new Map([['key', 'value']]),
  () => new Set(['one']),
  () => Buffer.from('bytes'),
  () => new Proxy({ file_path: 'proxied.ts' }, {}),
  () => ({ file_path: 'c.ts', inner: new Proxy([1, 2], {}) }),
  () => ({
    file_path: 'd.ts',
    get broken(): string {
      throw new Error('unreadable');
    },
  }),
  () => {
    const holder: Record<string, unknown> = { file_path: 'e.ts', call: () => 0 };
    holder['self'] = holder;
    return holder;
  },
  () => ({ file_path: 'f.ts', big: 12345678901234567890n, call: () => 0 }),
  () => Promise.resolve(1),
  () => new Error('as a value'),
  // Not alone: fast-check asks each value itself.
  () => ({ file_path: 'j.ts', inner: revoked(), list: [revoked()] }),
];

const CLONABLE: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 'just text',
  () => 12n,
  () => Number.NaN,
  () => ({ file_path: 'g.ts', big: 10n }),
  () => ({ file_path: 'h.ts', nothing: undefined, list: [undefined, null] }),
  circular,
  shared,
  () => Object.assign(Object.create(null), { file_path: 'bare.ts' }),
  () => JSON.parse('{"__proto__": {"file_path": "own.ts"}, "file_path": "i.ts"}'),
  () => [1, [2, [3]]],
];

/** Tool parameters and results that are anything but plain JSON. */
export const oddValue: fc.Arbitrary<unknown> = fc.constantFrom(...UNCLONABLE, ...CLONABLE).map((make) => make());

/** An entry with odd parameters, results or metadata, some with a text over a megabyte. */
export const oddEntry: fc.Arbitrary<IContent> = fc
  .record({
    parameters: oddValue,
    result: oddValue,
    fact: oddValue,
    longUnits: fc.constantFrom(0, 0, 0, 40, 400, 1_200_000),
    place: fc.constantFrom('text', 'result', 'parameters'),
    id: fc.nat(99),
  })
  .map(({ parameters, result, fact, longUnits, place, id }): IContent => {
    const long = 'wörter '.repeat(Math.ceil(longUnits / 7)).slice(0, longUnits);
    const isRecord = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
    const call: ContentBlock = {
      type: 'tool_call',
      id: `odd-${id}`,
      name: 'read_file',
      parameters:
        place === 'parameters' && longUnits > 0 ? { file_path: 'long.ts', content: [long, { long }] } : parameters,
    };
    const response: ContentBlock = {
      type: 'tool_response',
      callId: `odd-${id}`,
      toolName: 'read_file',
      result: place === 'result' && longUnits > 0 ? long : result,
      ...(isRecord && { providerMetadata: { note: 'kept' } }),
    };
    const text: ContentBlock = { type: 'text', text: place === 'text' ? `say ${long}` : 'say' };
    const entry: IContent = { speaker: 'ai', blocks: [text, call, response], metadata: { id: `odd-${id}`, fact } };
    // A failing case must be printed, and not every value here can be.
    return Object.defineProperty(entry, fc.toStringMethod, { value: () => `odd entry ${id} (${longUnits} ${place})` });
  });

/** Nested deeper than any clone or JSON can follow. */
export function deepValue(levels: number): unknown {
  let value: unknown = { file_path: 'deep.ts' };
  for (let level = 0; level < levels; level++) value = { file_path: 'deep.ts', inner: value };
  return value;
}
