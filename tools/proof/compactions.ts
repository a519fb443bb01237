/**
 * Requests for a summary, in recorded sessions that are played through the provider that enforces the rules: after each epoch,
 * as Claude Code writes them, with the conversation's tools or others, and with originals beyond the window. Each is
 * accepted where it is without the pruner, has the same prefix as the last request, and reads what that has in the cache. The
 * conversation then goes on from a summary that quotes a marker, which is never sent.
 *
 * `npm run proof -- compactions [--baseline folder] [--third] [--part 1/4] [--outcomes file] [part of a path …] [part of a
 * model …]`, as of `live`; `--third`: all sessions of `modern-data`, and a third of the others, chosen by a hash. With the folder of a checkout of another version that was built, that plays the same requests: the bill of no set
 * of sessions is higher than its bill, and lower in each that has a summary.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createPruner } from '../../src/live/pruner.ts';
import { baselinePruners } from './compactions/baseline.ts';
import { COMPACTED_MODELS } from './compactions/compacted-models.ts';
import { type CompactedOutcome, reportCompactions } from './compactions/compaction-table.ts';
import { playCompactions } from './compactions/play.ts';
import { eachSession, playName } from './live/each-session.ts';
import { Outcomes } from './live/outcomes.ts';
import { playedProvider } from './live/played-models.ts';

const isInThird = (name: string): boolean => createHash('sha256').update(name).digest().readUInt32BE() % 3 === 0;

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    options: {
      part: { type: 'string', default: '1/1' },
      outcomes: { type: 'string' },
      baseline: { type: 'string' },
      third: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const baseline = values.baseline === undefined ? undefined : await baselinePruners(values.baseline);
  const outcomes = new Outcomes<CompactedOutcome>(values.outcomes);
  const isKnown = (play: string): boolean => outcomes.all().has(play);
  const chosen = { models: COMPACTED_MODELS, part: values.part, names: positionals, isKnown };
  for (const { name, set, calls, models, agent, workspaceRoot } of eachSession({
    ...chosen,
    sets: ['modern-data', 'data', 'more-data'],
  })) {
    if (values.third && set !== 'modern-data' && !isInThird(name)) continue;
    for (const played of models) {
      const options = { provider: playedProvider(), played, agent, workspaceRoot, createPruner, baseline };
      const outcome = await playCompactions(calls, options);
      outcomes.add({ play: playName(name, played), set, model: played.name, ...outcome });
    }
  }
  return reportCompactions([...outcomes.all().values()], baseline !== undefined);
}
