import type { Counter } from '../counter.ts';

/**
 * The exact counter, which is loaded with all tokenizers when something is first counted on this thread: a history whose
 * threads do the work never needs it.
 */
export function lateCounter(): Counter {
  let loaded: Counter | undefined;
  const counter = (): Counter => {
    if (loaded === undefined) throw new TypeError('Expected `prepare` to have loaded the counter, and it has not.');
    return loaded;
  };
  const load = async (model: string): Promise<void> => {
    const { createExactCounter } = await import('../counter.ts');
    loaded ??= createExactCounter();
    await loaded.prepare?.(model);
  };
  return {
    countEntry: (entry, model) => counter().countEntry(entry, model),
    countText: (text, model) => counter().countText(text, model),
    prepare: (model) => (loaded === undefined ? load(model) : loaded.prepare?.(model)),
    countInSlices: (entry, model) => counter().countInSlices!(entry, model),
  };
}
