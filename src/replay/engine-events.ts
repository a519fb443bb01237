import type { EngineListener } from '../history/engine.ts';
import type { HistoryService } from '../history/history-service.ts';

/** Calls `listener` from now on with the events of the engines of `history`. */
export function listenToEngine(history: HistoryService, listener: EngineListener): void {
  history.on('engineDegraded', ({ reason }) => listener.degraded(reason));
  history.on('engineRestored', () => listener.restored());
  history.on('engineProgress', (progress) => listener.progressed(progress));
}
