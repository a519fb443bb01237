import type { ProxiedCall } from '../../proxy/contract.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Measures the calls of a team. */
export function callMetrics(metrics: Metrics): (call: ProxiedCall) => void {
  const added = metrics.duration({
    name: 'density.added',
    help: 'Time that requests waited here.',
    labels: ['status'],
  });
  const removed = metrics.counter({ name: 'density.tokens.removed', help: 'Tokens that requests did not contain.' });
  return ({ status, addedMs, report, isResent }) => {
    added(addedMs, { status: `${status}` });
    removed(isResent ? 0 : Math.max(0, report?.savedTokens ?? 0));
  };
}
