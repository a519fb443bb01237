import type { DecisionCause } from '../../../economics/decision.ts';
import type { ReplayResult } from '../../../replay/result.ts';
import { counted, grouped } from '../../../report/figures.ts';

const WAIT_WORDS: Partial<Readonly<Record<DecisionCause, string>>> = {
  costs: 'they would cost more than they save',
  bound: 'they would invalidate signed thinking',
};

const APPLY_WORDS: Partial<Readonly<Record<DecisionCause, string>>> = {
  unsent: 'not yet sent',
  cold: 'the cache had expired',
  tier: 'under a price limit',
  room: 'a compression postponed',
  pays: 'they pay for the rewritten cache',
};

/** Before how many calls edits waited or applied, by cause; `undefined` where edits always apply. */
export function decisionLine({ decisions }: Pick<ReplayResult, 'decisions'>): string | undefined {
  const parts = [
    { verb: 'waited', words: WAIT_WORDS },
    { verb: 'were applied', words: APPLY_WORDS },
  ].flatMap(({ verb, words }) => {
    const causes = (Object.keys(words) as DecisionCause[]).filter((cause) => decisions[cause] !== undefined);
    if (causes.length === 0) return [];
    const calls = causes.reduce((sum, cause) => sum + decisions[cause]!, 0);
    const why = causes.map((cause) =>
      causes.length === 1 ? words[cause] : `${words[cause]}: ${grouped(decisions[cause]!)}`,
    );
    return [`${verb} before ${counted(calls, 'call')} (${why.join(', ')})`];
  });
  return parts.length === 0 ? undefined : `edits ${parts.join(' and ')}`;
}
