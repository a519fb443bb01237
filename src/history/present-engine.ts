import type { Engine } from './engine.ts';

/** The process's own threads, which may count texts that belong to no history. */
export interface EngineOffer {
  readonly createEngine: () => Engine;
  readonly isOpen: () => boolean;
}

let present: EngineOffer | undefined;
let engine: Engine | undefined;

/** Offers threads that were started for a history. The first offer is used until its threads are closed. */
export function offerEngine(offer: EngineOffer): void {
  if (present?.isOpen()) return;
  present = offer;
  engine = undefined;
}

/** The engine on threads that already run; `undefined` if there are none. Starts no thread. */
export function presentEngine(): Engine | undefined {
  if (!present?.isOpen()) return undefined;
  engine ??= present.createEngine();
  return engine;
}
