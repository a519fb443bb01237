import { Redactor } from '../../content/secrets/redact.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { textOfEntries } from '../../replay/block-text.ts';
import { archivedList, titledBlocks } from '../../report/archived-list.ts';
import type { SlashCommand } from './contract.ts';

/** `/show`: removed text from the archive. */
export const show: SlashCommand = {
  name: 'show',
  usage: '[hash]',
  help: 'show removed text from the archive',
  async run([hash], { archive }) {
    if (archive === undefined) {
      throw new CompressionStrategyError('Expected an archive, but this chat has none.', 'ARCHIVE_UNKNOWN');
    }
    if (hash === undefined) {
      const blocks = await archive.list();
      const nothing = 'The archive is empty. /set compression.density.archive true turns it on.';
      if (blocks.length === 0) return { kind: 'said', lines: [nothing] };
      const titled = await titledBlocks(archive, blocks);
      return { kind: 'said', lines: archivedList(titled, blocks.length).map(new Redactor().label) };
    }
    const { block } = await archive.find(hash);
    const shown = new Redactor().value(block);
    return { kind: 'said', lines: textOfEntries([{ speaker: 'tool', blocks: [shown] }]).split('\n') };
  },
};
