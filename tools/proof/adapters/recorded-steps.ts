import { isRecord } from '../../../src/content/foreign-value.ts';
import type { Session } from '../../../src/formats/contract.ts';

/** A recorded call of a tool, and what it returned. */
export interface RecordedStep {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** Names that every provider takes. */
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** The calls of a session that have a result, in order, at most `most` of them. */
export function recordedSteps({ events }: Session, most: number): RecordedStep[] {
  const calls = new Map<string, { name: string; input: RecordedStep['input'] }>();
  const steps: RecordedStep[] = [];
  for (const event of events) {
    for (const { blocks } of event.kind === 'add' ? [event.content] : []) {
      for (const block of blocks) {
        if (block.type === 'tool_call') {
          const input = isRecord(block.parameters) ? block.parameters : { input: block.parameters };
          calls.set(block.id, { name: block.name, input });
        }
        const call = block.type === 'tool_response' ? calls.get(block.callId) : undefined;
        if (block.type !== 'tool_response' || call === undefined || !TOOL_NAME.test(call.name)) continue;
        const result = typeof block.result === 'string' ? block.result : JSON.stringify(block.result ?? '');
        steps.push({ ...call, result: block.error ?? (result === '' ? 'ok' : result) });
        if (steps.length === most) return steps;
      }
    }
  }
  return steps;
}
