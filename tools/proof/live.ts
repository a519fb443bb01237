/**
 * The requests of every recorded session, played through the provider that enforces the rules, without and with the pruner:
 * none is refused because of it, no thinking is lost, no prefix changes outside an epoch, a restart at every tenth request
 * changes no byte, the bill is not higher, and a model without a price has no epoch while its cache may be warm.
 *
 * `npm run proof -- live [--part 1/4] [--outcomes file] [part of a path …] [part of a model …]`: sessions and models whose
 * name contains one of these; default all, for about an hour. With a file, plays that it contains are not repeated, and
 * processes with different parts share it; each prints the table of all that the file contains.
 */
import { eachSession, playName } from './live/each-session.ts';
import { reportOutcomes } from './live/outcome-table.ts';
import type { Outcome } from './live/outcomes.ts';
import { playCalls } from './live/play.ts';
import { playOptions } from './live/play-options.ts';
import { PLAYED_MODELS, playedProvider } from './live/played-models.ts';

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { outcomes, chosen } = playOptions<Outcome>(parameters);
  for (const session of eachSession({ ...chosen, models: PLAYED_MODELS, sets: ['data', 'more-data', 'modern-data'] })) {
    for (const played of session.models) {
      // A provider that another play asked would have its prompts in the cache.
      const { refusals, ...outcome } = await playCalls(session.calls, {
        provider: playedProvider(),
        played,
        ...session,
      });
      const [refusal] = refusals;
      const told = { refused: refusals.length, ...(refusal !== undefined && { refusal }) };
      const play = playName(session.name, played);
      outcomes.add({ play, agent: session.agent, model: played.name, ...outcome, ...told });
    }
  }
  return reportOutcomes([...outcomes.all().values()]);
}
