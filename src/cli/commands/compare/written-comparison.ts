import path from 'node:path';
import { policyTotals, totalsBySet } from '../../../lab/totals.ts';
import { comparisonPage } from '../../../report/comparison-page.ts';
import { contradictedNote } from '../../../report/contradicted-calls.ts';
import { byteSize, counted } from '../../../report/figures.ts';
import type { OutputTarget } from '../../output/output-target.ts';
import { packageVersion } from '../../output/package-version.ts';
import { writeOutput } from '../../output/written-session.ts';
import { terminal } from '../../terminal/terminal.ts';
import { contradictedOf, usageLine } from './compare-report.ts';
import type { PlayedSessions } from './played-sessions.ts';
import { priceNotes } from './price-notes.ts';

/** Writes the comparison as a page, complete or not at all. */
export async function writeComparison(
  target: OutputTarget,
  {
    named,
    compared,
    ...played
  }: { named: readonly string[] } & Pick<PlayedSessions, 'compared' | 'copiedCalls' | 'skipped'>,
): Promise<void> {
  const [first] = named;
  const place = first === undefined ? 'this computer' : path.basename(path.resolve(first));
  const page = comparisonPage({
    title: named.length > 1 ? counted(named.length, 'place') : place,
    sessions: compared.length,
    sizeBytes: compared.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    totals: policyTotals(compared),
    sets: totalsBySet(compared),
    priceNotes: [...priceNotes(compared.map(({ model }) => model)), ...contradictedNote(contradictedOf(compared))],
    usageNote: usageLine(compared),
    ...played,
    version: packageVersion(),
    madeOn: new Date().toISOString().slice(0, 10),
  });
  const bytes = new TextEncoder().encode(page);
  await writeOutput(target, [bytes]);
  if (target.kind === 'file')
    await terminal().notes.print(`Page written to ${target.path} (${byteSize(bytes.length)}).\n`);
}
