import type { Command } from 'commander';
import { fileBytes } from '../../../disk/file-bytes.ts';
import { byteSize, counted, grouped } from '../../../report/figures.ts';
import { countFile, type FileCount } from '../../../sessions/file-count.ts';
import { familyNamed } from '../../../tokens/index.ts';
import { familyOfModel } from '../../../tokens/models.ts';
import { workOnFile } from '../../options/session-file.ts';
import { rightAligned, tableLines } from '../../terminal/columns.ts';
import { printable, printJson, reportFailure, terminal } from '../../terminal/terminal.ts';

/** Its encoding is o200k_base, that of the current OpenAI models. */
const DEFAULT_MODEL = 'gpt-5';
/** Counting a smaller file takes less time than starting a thread. */
const THREAD_BYTES = 64 * 1024;

interface CountedFile extends FileCount {
  readonly file: string;
}

async function countedFile(file: string, model: string): Promise<CountedFile> {
  const bytes = fileBytes(file);
  const size = await workOnFile(bytes, {
    label: 'counting',
    leastBytes: THREAD_BYTES,
    onThread: (thread, onProgress) => thread.count(file, { model, onProgress }),
    here: (onProgress) => countFile(bytes, model, onProgress),
  });
  return { file, ...size };
}

async function count(files: readonly string[], options: { model: string; json?: boolean }): Promise<void> {
  const { out, notes } = terminal();
  const family = familyOfModel(options.model);
  const isExact = familyNamed(family).encoding === `${family}_base`;
  const counts: CountedFile[] = [];
  for (const file of files) {
    try {
      counts.push(await countedFile(file, options.model));
    } catch (error) {
      await reportFailure(error);
    }
  }
  if (options.json) return printJson(...counts.map((row) => ({ ...row, model: options.model, family, isExact })));
  if (counts.length === 0) return;
  const { dim, bold } = out.colors;
  const tokens = counts.reduce((sum, row) => sum + row.tokens, 0);
  const bytes = counts.reduce((sum, row) => sum + row.bytes, 0);
  const rows = counts.map((row) => [printable(row.file), grouped(row.tokens), byteSize(row.bytes)]);
  if (counts.length > 1) rows.push([counted(counts.length, 'file'), grouped(tokens), byteSize(bytes)]);
  const lines = tableLines([{ title: 'file', shrink: 'start' }, ...rightAligned('tokens', 'size')], rows, {
    columns: out.columns,
    heading: dim,
    cell: (text, row, column) => (column === 1 || row === counts.length ? bold(text) : text),
  });
  await out.print(`${lines.join('\n')}\n`);
  const how = isExact ? 'exact' : 'an estimate: this tokenizer is not published';
  await notes.print(notes.colors.dim(`Counted for ${options.model} (${family}, ${how}).\n`));
}

/** `density dev count`: counts the tokens of text files. */
export function defineCount(command: Command): void {
  command
    .description(
      'Counts the tokens of text files. The count is exact for OpenAI models, and an estimate for models whose tokenizer is not published.',
    )
    .argument('<file...>', 'text files')
    .option('--model <name>', 'the model to count for', DEFAULT_MODEL)
    .option('--json', 'one JSON object per line')
    .action(count);
}
