import type { Command } from 'commander';
import type { ContentBlock } from '../../../content/content.ts';
import { BlockArchive } from '../../../disk/block-archive.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { textOfEntries } from '../../../replay/block-text.ts';
import { archivedList, titledBlocks } from '../../../report/archived-list.ts';
import { archiveFolder } from '../../../sessions/places/data-folder.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { printNext } from '../../output/next-step.ts';
import { hiddenLine, type RedactOptions, redactOption, redactorOf } from '../../output/redaction.ts';
import { cutEnd } from '../../terminal/columns.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';

interface ShowOptions extends RedactOptions {
  readonly json?: boolean;
}

/** The address of one's page at the proxy of a team, which has the texts that the proxy removed. */
const PAGE = 'DENSITY_PAGE';
/** As many digits as a marker has. */
const NAME_CHARACTERS = 12;
const ANSWER_MS = 10_000;

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** The text of a block, safe to print on a terminal. */
const shownBlock = (block: ContentBlock): string =>
  printableLines(textOfEntries([{ speaker: 'tool', blocks: [block] }]));

/** A text that the proxy of a team removed, with secrets hidden; undefined if it has none of this name. */
async function teamText(page: string, hash: string): Promise<string | undefined> {
  const url = new URL(`text/${hash.slice(0, NAME_CHARACTERS).toLowerCase()}`, page);
  const answer = await fetch(url, { headers: { accept: 'text/plain' }, signal: AbortSignal.timeout(ANSWER_MS) });
  if (answer.status >= 500)
    throw new CompressionStrategyError(
      `Expected the text from the proxy of the team, but it cannot be read now: ${(await answer.text()).slice(0, 200)}`,
      'ARCHIVE_UNKNOWN',
    );
  return answer.ok ? answer.text() : undefined;
}

async function list(archive: BlockArchive, { json, ...options }: ShowOptions): Promise<void> {
  const { out } = terminal();
  const blocks = await archive.list();
  const redactor = redactorOf(options);
  const titled = (await titledBlocks(archive, blocks)).map((block) => ({
    ...block,
    title: printable(redactor?.label(block.title) ?? block.title),
  }));
  if (json) return printJson(...titled);
  const [newest] = titled;
  if (newest !== undefined) {
    const columns = out.stream.isTTY ? out.columns : Number.POSITIVE_INFINITY;
    const lines = archivedList(titled, blocks.length).map((line) => cutEnd(line, columns));
    await out.print(`${lines.join('\n')}\n`);
    return printNext(`density show ${newest.hash.slice(0, 12)}`);
  }
  const nothing = `The archive ${pathFromHome(archive.folder)} is empty. Turn it on with --archive on for one run, or for a project in .density.json: { "compression.density.archive": true }`;
  await out.print(`${nothing}\n`);
}

async function show(hash: string | undefined, options: ShowOptions): Promise<void> {
  const archive = new BlockArchive(archiveFolder());
  if (hash === undefined) return list(archive, options);
  const { out, notes } = terminal();
  const page = process.env[PAGE];
  const found = page === undefined ? undefined : await teamText(page, hash);
  if (found !== undefined)
    return out.print(options.json ? `${JSON.stringify({ text: found })}\n` : `${printableLines(found)}\n`);
  const { block } = await archive.find(hash);
  const redactor = redactorOf(options);
  const shown = redactor?.value(block) ?? block;
  await out.print(options.json ? `${JSON.stringify(shown)}\n` : `${shownBlock(shown)}\n`);
  await notes.print(hiddenLine(redactor, notes.colors.dim));
}

/** `density show`: shows removed text from the archive. */
export function defineShow(command: Command): void {
  command
    .description(
      'Shows a removed block from the archive by its hash or the first digits of the hash, which a marker or a certificate names. Without a hash it lists the newest blocks. If DENSITY_PAGE has the address of your page at the proxy of a team, it also shows text that this proxy removed. Hides keys, tokens and passwords of known shapes.',
    )
    .argument('[hash]', 'a hash, or at least its first four digits');
  redactOption(command).option('--json', 'the block as JSON; without a hash, one JSON object per line').action(show);
}
