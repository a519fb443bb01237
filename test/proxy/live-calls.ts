import type { ProjectedResult } from '../../src/live/contract.ts';
import type { LoggedCall } from '../../src/proxy/call-log.ts';

export const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 22, 12);

type Given = Partial<Omit<LoggedCall, 'report' | 'usage' | 'at'>> & {
  /** Minutes after the first call. */
  readonly minute?: number;
  readonly prompt?: number;
  readonly cached?: number;
  readonly report?: Partial<NonNullable<LoggedCall['report']>>;
};

/** A call of Claude Sonnet 4.5 as the log has it: 3 dollars a million, 0.3 read, 3.75 written. */
export function callOf({ minute = 0, prompt = 10_000, cached = 0, report, ...given }: Given = {}): LoggedCall {
  return {
    api: 'anthropic-messages',
    isCount: false,
    model: 'claude-sonnet-4-5',
    status: 200,
    isResent: false,
    agent: 'claude-code',
    isShadow: false,
    addedMs: 1,
    tookMs: 0,
    at: START + minute * MINUTE_MS,
    usage: {
      promptTokens: prompt,
      cachedTokens: cached,
      writtenTokens: prompt - cached,
      writtenHourTokens: 0,
      outputTokens: 0,
    },
    report: {
      conversation: 'c0ffee00',
      model: 'claude-sonnet-4-5',
      changed: [],
      projected: 0,
      savedTokens: 0,
      sentTokens: 0,
      unchangedTokens: 0,
      isEpoch: false,
      neededAgain: [],
      unknownTools: [],
      sentWhole: [],
      ...report,
    },
    ...given,
  };
}

export const changeOf = (savedTokens: number, given: Partial<ProjectedResult> = {}): ProjectedResult => ({
  callId: 'call',
  kind: 'pruned',
  what: 'Read src/a.ts',
  reason: 'the file was changed later',
  savedTokens,
  ...given,
});

export const decisionOf = (cause: 'cold' | 'pays' | 'unsent', costNow = 0) => ({
  decision: { cause, reason: `removes 1k tokens: it is ${cause}`, expectedNet: 0.1, costNow },
});
