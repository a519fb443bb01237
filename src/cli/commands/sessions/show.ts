import type { Command } from 'commander';
import type { ContentBlock } from '../../../content/content.ts';
import { BlockArchive } from '../../../disk/block-archive.ts';
import { textOfEntries } from '../../../replay/block-text.ts';
import { archivedList } from '../../../report/archived-list.ts';
import { archiveFolder } from '../../../sessions/places/data-folder.ts';
import { hiddenLine, type RedactOptions, redactOption, redactorOf } from '../../output/redaction.ts';
import { printable } from '../../terminal/printable.ts';
import { terminal } from '../../terminal/terminal.ts';

interface ShowOptions extends RedactOptions {
  readonly json?: boolean;
}

/** The text of a block, safe to print on a terminal. */
export const shownBlock = (block: ContentBlock): string =>
  textOfEntries([{ speaker: 'tool', blocks: [block] }])
    .split('\n')
    .map(printable)
    .join('\n');

async function list(archive: BlockArchive): Promise<void> {
  const blocks = await archive.list();
  const nothing = `The archive ${archive.folder} is empty. Turn it on with --archive on for one run, or for a project in .density.json: { "compression.density.archive": true }`;
  const lines = blocks.length === 0 ? [nothing] : archivedList(blocks);
  await terminal().out.print(`${lines.join('\n')}\n`);
}

async function show(hash: string | undefined, { json, ...options }: ShowOptions): Promise<void> {
  const archive = new BlockArchive(archiveFolder());
  if (hash === undefined) return list(archive);
  const { out, notes } = terminal();
  const { block } = await archive.find(hash);
  const redactor = redactorOf(options);
  const shown = redactor?.value(block) ?? block;
  await out.print(json ? `${JSON.stringify(shown)}\n` : `${shownBlock(shown)}\n`);
  await notes.print(hiddenLine(redactor, notes.colors.dim));
}

/** `density show`: shows removed text from the archive. */
export function defineShow(command: Command): void {
  command
    .description(
      'Shows a removed block from the archive by its hash, which a certificate names, or the first digits of it; without a hash lists the newest blocks. The archive keeps what is removed while `compression.density.archive` is on. Hides keys, tokens and passwords of known shapes.',
    )
    .argument('[hash]', 'a hash, or at least its first four digits');
  redactOption(command).option('--json', 'the block as JSON').action(show);
}
