import type { EngineListener } from '../history/engine.ts';
import type { HistoryService } from '../history/history-service.ts';

/** From now on `listener` hears what the engines of `history` do beside their answers. */
export function listenToEngine(history: HistoryService, listener: EngineListener): void {
  history.on('engineDegraded', ({ reason }) => listener.degraded(reason));
  history.on('engineRestored', () => listener.restored());
  history.on('engineProgress', (progress) => listener.progressed(progress));
}
