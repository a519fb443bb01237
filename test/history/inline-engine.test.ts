import { CompressionStrategyError } from '../../src/errors.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { familyOfModel } from '../../src/tokens/models.ts';
import { engineContract, MODEL } from '../contracts/engine.ts';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because threads run it too.
import { probedCounter, probedStrategy } from '../fixtures/probe.mjs';
import { Loopback, REAL_SERVICES } from '../offload/loopback.ts';

const countEntry = probedCounter(REAL_SERVICES.countEntry, CompressionStrategyError);
const inline = (): InlineEngine =>
  new InlineEngine({
    countEntry: (entry, model) => countEntry(entry, familyOfModel(model)),
    countText: (text, model) =>
      countEntry({ speaker: 'human', blocks: [{ type: 'text', text }] }, familyOfModel(model)),
  });

engineContract({
  name: 'inline',
  createHistory: () => new HistoryService({ engine: inline(), model: MODEL, detectMutation: true }),
  createEngine: (name) =>
    name === 'inline' ? inline() : new OffloadedEngine({ pool: new Loopback(), fallback: inline() }),
  createGate: (history, options) => new PreSendGate(history as HistoryService, options),
  createStrategy: (name) => probedStrategy(getCompressionStrategy(name), CompressionStrategyError),
  lostThreads: () => 0,
});
