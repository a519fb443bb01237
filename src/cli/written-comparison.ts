import path from 'node:path';
import type { ComparedFile } from '../replay/fidelity/compared-file.ts';
import { PRICES_AS_OF } from '../replay/fidelity/prices.ts';
import { policyTotals, totalsBySet } from '../replay/fidelity/totals.ts';
import { comparisonPage } from '../report/comparison-page.ts';
import { byteSize } from '../report/figures.ts';
import { usageLine } from './compare-report.ts';
import type { OutputTarget } from './output-target.ts';
import { packageVersion } from './package-version.ts';
import { terminal } from './terminal.ts';
import { writeOutput } from './written-session.ts';

/** Draws the comparison and puts it in its place, whole or not at all. */
export async function writeComparison(
  target: OutputTarget,
  { named, compared, skipped }: { named: readonly string[]; compared: readonly ComparedFile[]; skipped: number },
): Promise<void> {
  const [first] = named;
  const page = comparisonPage({
    title: named.length === 1 && first !== undefined ? path.basename(path.resolve(first)) : `${named.length} places`,
    sessions: compared.length,
    sizeBytes: compared.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    totals: policyTotals(compared),
    sets: totalsBySet(compared),
    pricesAsOf: PRICES_AS_OF,
    usageNote: usageLine(compared),
    skipped,
    version: packageVersion(),
    madeOn: new Date().toISOString().slice(0, 10),
  });
  const bytes = new TextEncoder().encode(page);
  await writeOutput(target, [bytes]);
  if (target.kind === 'file') await terminal().notes.print(`Drawn in ${target.path} (${byteSize(bytes.length)}).\n`);
}
