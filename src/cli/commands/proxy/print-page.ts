import path from 'node:path';
import { type AnnouncedRun, announcedRuns } from '../../../proxy/page/announced-run.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { openPage } from '../../output/opened-page.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';

/** True if `folder` is `other` or below it. */
const isWithin = (folder: string, other: string): boolean => {
  const way = path.relative(other, folder);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
};

/** Prints where the page of a running proxy is, that of this folder first, and opens it if that is asked for. */
export async function printPage({ open, json }: { readonly open: boolean; readonly json: boolean }): Promise<void> {
  const { out, notes } = terminal();
  const runs = await announcedRuns(liveFolder());
  if (json) return printJson(...runs);
  const folder = process.cwd();
  const own = runs.filter((run) => isWithin(folder, run.folder));
  const [shown, ...others] = [...own, ...runs.filter((run) => !own.includes(run))];
  if (shown === undefined) {
    await notes.print(
      'No proxy runs on this computer. Start one with `density wrap claude`; `density stats` shows what was done.\n',
    );
    process.exitCode = 1;
    return;
  }
  await notes.print(notes.colors.dim(`${wordsOf(shown)}\n`));
  await out.print(`${shown.url}\n`);
  if (others.length > 0) {
    await notes.print(`\nAlso running:\n${others.map((run) => `  ${wordsOf(run)}\n    ${run.url}\n`).join('')}`);
  }
  if (open) await openPage(shown.url);
}

const wordsOf = ({ agent, folder, isShadow }: AnnouncedRun): string =>
  printable(`${agent}${isShadow ? ' (shadow)' : ''} in ${pathFromHome(folder)}`);
