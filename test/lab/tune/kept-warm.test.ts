import { describe, expect, it } from 'vitest';
import { NO_BILL } from '../../../src/economics/bill.ts';
import type { ComparedFile } from '../../../src/lab/compared-file.ts';
import type { ProfileOutcome } from '../../../src/lab/policy-outcome.ts';
import { KEPT_WARM } from '../../../src/lab/tune/candidates.ts';
import { keptWarm } from '../../../src/lab/tune/kept-warm.ts';

const outcome = (policy: string, dollars: number, leftOpenDollars?: number): ProfileOutcome =>
  ({ policy, bill: { ...NO_BILL, dollars }, ...(leftOpenDollars && { leftOpenDollars }) }) as ProfileOutcome;
const file = (model: string, warm: number): ComparedFile =>
  ({
    model,
    outcomes: [outcome('no-pruning', 10), outcome('recommended', 9), outcome(KEPT_WARM.name, warm, 0.25)],
  }) as unknown as ComparedFile;

describe('keptWarm', () => {
  it('sums the sessions whose cache can be kept', () => {
    const files = [file('claude-opus-5-5', 8), file('claude-opus-5', 9.1), file('gpt-5.5', 1), file('nobody-9', 1)];
    expect(keptWarm(files)).toEqual({
      sessions: 2,
      moreExpensive: 1,
      without: 20,
      recommended: 18,
      warm: 17.1,
      leftOpen: 17.6,
    });
  });

  it('says nothing where there is none', () => {
    expect(keptWarm([file('gpt-5.5', 1)])).toBeUndefined();
  });
});
