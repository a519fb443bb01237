import type { Command } from 'commander';
import type { ContentBlock } from '../content/content.ts';
import { BlockArchive } from '../gate/block-archive.ts';
import { textOfEntries } from '../replay/block-text.ts';
import { byteSize, counted } from '../report/figures.ts';
import { archiveFolder } from './data-folder.ts';
import { printable } from './printable.ts';
import { hiddenLine, type RedactOptions, redactOption, redactorOf } from './redaction.ts';
import { terminal } from './terminal.ts';

interface ShowOptions extends RedactOptions {
  readonly json?: boolean;
}

const MOST_LISTED = 20;
/** Enough of a hash to find a block by. */
const SHORT_HASH = 12;

/** What a block says, for a person; control characters of a recording do nothing to the terminal. */
export const shownBlock = (block: ContentBlock): string =>
  textOfEntries([{ speaker: 'tool', blocks: [block] }])
    .split('\n')
    .map(printable)
    .join('\n');

async function list(archive: BlockArchive): Promise<void> {
  const { out } = terminal();
  const blocks = await archive.list();
  const { dim } = out.colors;
  const lines = blocks.slice(0, MOST_LISTED).map(({ hash, sizeBytes, keptAt }) => {
    const time = new Date(keptAt).toISOString().slice(0, 16).replace('T', ' ');
    return `${hash.slice(0, SHORT_HASH)}  ${dim(time)}  ${byteSize(sizeBytes).padStart(8)}`;
  });
  const rest = blocks.length - lines.length;
  const end =
    blocks.length === 0
      ? `Nothing is kept in ${archive.folder}. Turn it on with --archive on for a run, or for a project in .density.json: { "compression.density.archive": true }`
      : rest > 0
        ? `and ${counted(rest, 'older block')}`
        : undefined;
  await out.print(`${[...lines, ...(end === undefined ? [] : [end])].join('\n')}\n`);
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

/** `density show`: brings back what was taken away and kept in the archive. */
export function addShowCommand(program: Command): void {
  const command = program
    .command('show')
    .summary('show what was taken away, by its hash')
    .description(
      'Shows a block that pruning or a compression took away and that the archive keeps, by the hash that a certificate names, or the beginning of it; without a hash lists the newest. Kept is what was taken away while `compression.density.archive` was on. Keys, tokens and passwords of known shapes are hidden.',
    )
    .argument('[hash]', 'a hash, or at least four digits of its beginning');
  redactOption(command).option('--json', 'the block as JSON').action(show);
}
