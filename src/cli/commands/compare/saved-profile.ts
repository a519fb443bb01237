import { KEPT_WARM, TUNE_CANDIDATES } from '../../../lab/tune/candidates.ts';
import { type KeptWarm, keptWarm } from '../../../lab/tune/kept-warm.ts';
import { type PartFigures, type Tuning, tune } from '../../../lab/tune/tune.ts';
import { ProfileStore } from '../../../settings/profile-store.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { printNext } from '../../output/next-step.ts';
import { printJson, terminal } from '../../terminal/terminal.ts';
import { type ComparisonAnswers, playedSessions } from './played-sessions.ts';

export interface SaveOptions {
  /** Of the profile. */
  readonly name: string;
  /** Percent of edits. */
  readonly atMost: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

/**
 * Plays the named sessions under all candidates on `threads`, prints which one is chosen and why, and saves it.
 * @throws UsageError for names without any session; before anything is played what `ProfileStore.expectNew` throws.
 */
export async function saveProfile(
  sessions: NamedSessions,
  { name, atMost, force = false, json = false }: SaveOptions,
  threads: ComparisonAnswers,
): Promise<void> {
  const profiles = new ProfileStore();
  if (!force) await profiles.expectNew(name);
  const policies = [...TUNE_CANDIDATES, KEPT_WARM];
  const { compared, copiedCalls, onlyCopies } = await playedSessions(sessions, { policies, threads });
  const tuning = tune(compared, { candidates: TUNE_CANDIDATES, mostRegretted: atMost / 100 });
  const { verdict } = tuning;
  const warm = keptWarm(compared);
  const mayReplace = { mayReplace: force };
  const saved =
    verdict.kind === 'better' ? (await profiles.save(name, verdict.chosen.settings, mayReplace)).file : undefined;
  const { out } = terminal();
  if (json) return printJson(record(tuning, { name, atMost, copiedCalls, saved, warm }));
  // Imported late: while the threads work, no processor is free.
  const { savedReport } = await import('./saved-report.ts');
  await out.print(
    savedReport(tuning, { files: compared, copiedCalls, onlyCopies, name, atMost, saved, warm, screen: out }),
  );
  if (saved !== undefined) await printNext(`density profile load ${name}`);
}

/** The object of `--json`. */
function record(
  { parts, profiles, neededEdits, verdict }: Tuning,
  {
    name,
    atMost,
    copiedCalls,
    saved,
    warm,
  }: {
    name: string;
    atMost: number;
    copiedCalls: number;
    saved: string | undefined;
    warm: KeptWarm | undefined;
  },
): object {
  const [none] = profiles;
  const part = (files: readonly unknown[], figures: PartFigures | undefined): object => ({
    sessions: files.length,
    evidencedEdits: figures?.evidencedEdits ?? 0,
  });
  return {
    atMostPercent: atMost,
    copiedCalls,
    neededEdits,
    dividedBy: parts.by,
    chosenOn: part(parts.chosenOn, none?.chosenOn),
    heldOut: part(parts.heldOut, none?.heldOut),
    verdict: verdict.kind,
    ...('chosen' in verdict && { chosen: verdict.chosen.name }),
    ...('reasons' in verdict && { reasons: verdict.reasons }),
    ...(saved !== undefined && { saved: { name, file: saved } }),
    ...(warm && { keptWarm: warm }),
    profiles: profiles.map(({ differs: _, ...profile }) => profile),
  };
}
