import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallIds } from '../../../src/formats/gemini/call-ids.ts';
import { runs } from '../../property-runs.ts';

/** The same by looking through all open calls for each result. */
class PlainCallIds {
  #open: { readonly id: string; readonly name: string }[] = [];

  call(id: string, name: string): void {
    this.#open.push({ id, name });
  }

  result(given: string | undefined, name: string): string | undefined {
    const exact = this.#open.findIndex((call) => (given === undefined ? call.name === name : call.id === given));
    const place = exact === -1 && given === undefined ? 0 : exact;
    const [call] = place === -1 ? [] : this.#open.splice(place, 1);
    return given ?? call?.id;
  }
}

test('a result belongs to the first open call with its id, else with its name, else to the first one', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const id = fc.constantFrom('1', '2', '3', '4', '5');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('call' as const), id, name }),
    fc.record({ kind: fc.constant('result' as const), id: fc.option(id, { nil: undefined }), name }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ids = new CallIds();
      const plain = new PlainCallIds();
      for (const one of steps) {
        if (one.kind === 'call') {
          expect(ids.call(one.id, one.name, {})).toBe(one.id);
          plain.call(one.id, one.name);
          continue;
        }
        const expected = plain.result(one.id, one.name);
        const found = ids.result(one.id, one.name);
        if (expected === undefined) expect(found).toMatch(/^call_/);
        else expect(found).toBe(expected);
      }
    }),
    { numRuns: runs(200) },
  );
});
