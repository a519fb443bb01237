import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { SideCall } from '../contract.ts';
import { recordedUsage } from '../usage/usage-report.ts';
import { USAGE_REPORTS } from './usage.ts';

/** The calls of sub-agents in the file of a session, each once, as versions before 2.0 write them. */
export class SideCalls {
  readonly #byId = new Map<string, SideCall>();

  /** A line of a sub-agent. The lines of a streamed answer report growing numbers. */
  add({ type, message, requestId, timestamp }: Fields): void {
    if (type !== 'assistant' || !isRecord(message) || typeof message['id'] !== 'string') return;
    const recorded = recordedUsage(message['usage'], USAGE_REPORTS);
    const usage = recorded?.reported ?? recorded;
    if (usage === undefined) return;
    const answerId = [message['id'], typeof requestId === 'string' ? requestId : []].flat().join(' ');
    const known = this.#byId.get(answerId);
    if (known && known.usage.totalTokens > usage.totalTokens) return;
    const atMs = timeOf(timestamp);
    const { model } = message;
    this.#byId.set(answerId, {
      answerId,
      usage,
      ...(typeof model === 'string' && { model }),
      ...(atMs !== undefined && { atMs }),
    });
  }

  list(): readonly SideCall[] {
    return [...this.#byId.values()];
  }
}
