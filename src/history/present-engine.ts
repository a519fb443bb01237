import type { Engine } from './engine.ts';

/** Threads that run in this process and may count what belongs to no history. */
export interface EngineOffer {
  readonly createEngine: () => Engine;
  readonly isOpen: () => boolean;
}

let present: EngineOffer | undefined;
let engine: Engine | undefined;

/** Makes threads known that were started for a history; others take their place when they are closed. */
export function offerEngine(offer: EngineOffer): void {
  if (present?.isOpen()) return;
  present = offer;
  engine = undefined;
}

/** The engine on threads that run already; undefined where there are none. No thread is started for it. */
export function presentEngine(): Engine | undefined {
  if (!present?.isOpen()) return undefined;
  engine ??= present.createEngine();
  return engine;
}
