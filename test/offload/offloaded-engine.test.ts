import { CompressionStrategyError } from '../../src/errors.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import type { DebugLogger } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { engineContract, MODEL } from '../contracts/engine.ts';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because threads run it too.
import { probedCounter, probedStrategy } from '../fixtures/probe.mjs';
import { Loopback, REAL_SERVICES, replicaStore } from './loopback.ts';

const probed = new Map<string, ReturnType<typeof probedStrategy>>();

/** The product's services with the probes around them; a strategy is made once for each name, as on a thread. */
const services = {
  strategy: (name: string, vocabulary: string, logger: DebugLogger) => {
    const known =
      probed.get(name) ?? probedStrategy(REAL_SERVICES.strategy(name, vocabulary, logger), CompressionStrategyError);
    probed.set(name, known);
    return known;
  },
  countEntry: probedCounter(REAL_SERVICES.countEntry, CompressionStrategyError),
};
const inline = (): InlineEngine => new InlineEngine(createExactCounter());
const offloaded = (): OffloadedEngine =>
  new OffloadedEngine({ pool: new Loopback(replicaStore(services)), fallback: inline() });

engineContract({
  name: 'offloaded',
  createHistory: () => new HistoryService({ engine: offloaded(), model: MODEL, detectMutation: true }),
  createEngine: (name) => (name === 'inline' ? inline() : offloaded()),
  createGate: (history, options) => new PreSendGate(history as HistoryService, options),
  createStrategy: (name) => getCompressionStrategy(name),
  lostThreads: () => 0,
});
