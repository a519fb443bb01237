import type { Command } from 'commander';
import { fileBytes } from '../replay/file-bytes.ts';
import { addFeatures, type TextFeatures } from '../tokens/features.ts';
import { createTokenizer, familyNamed } from '../tokens/index.ts';
import { familyOfModel } from '../tokens/models.ts';
import { nextSafeCut } from '../tokens/split-points.ts';
import { reportFailure } from './failure.ts';
import { byteSize, counted, grouped } from './figures.ts';
import { startProgress } from './progress.ts';
import { tableLines } from './table.ts';
import { terminal } from './terminal.ts';
import { printable } from './text-width.ts';

/** What is counted when no model is named: o200k_base, the encoding of the current OpenAI models. */
const DEFAULT_MODEL = 'gpt-5';
/** A piece of text without any place to cut it safely is not expected to be longer than this. */
const LOOK_BACK_UNITS = 4096;

interface FileCount {
  readonly file: string;
  readonly tokens: number;
  readonly bytes: number;
}

/** Tokens of a text file of any size: it is cut at places where cutting changes no count. */
function countFile(file: string, model: string): FileCount {
  const bytes = fileBytes(file);
  const tokenizer = createTokenizer(familyOfModel(model));
  // A byte order mark is text to a tokenizer.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const progress = startProgress('counting', bytes.sizeBytes);
  let features: TextFeatures | undefined;
  const take = (text: string): void => {
    const more = tokenizer.measure(text);
    features = features === undefined ? more : addFeatures(features, more);
  };
  let rest = '';
  for (const chunk of bytes.chunks(progress.update)) {
    rest += decoder.decode(chunk, { stream: true });
    const cut = nextSafeCut(rest, rest.length - LOOK_BACK_UNITS);
    if (cut >= rest.length) continue;
    take(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  take(rest + decoder.decode());
  progress.stop();
  return { file, tokens: features === undefined ? 0 : tokenizer.tokensOf(features), bytes: bytes.sizeBytes };
}

async function count(files: readonly string[], options: { model: string; json?: boolean }): Promise<void> {
  const { out, notes } = terminal();
  const family = familyOfModel(options.model);
  const isExact = familyNamed(family).encoding === `${family}_base`;
  const counts: FileCount[] = [];
  for (const file of files) {
    try {
      counts.push(countFile(file, options.model));
    } catch (error) {
      await reportFailure(error);
    }
  }
  if (options.json) {
    for (const row of counts) await out.print(`${JSON.stringify({ ...row, model: options.model, family, isExact })}\n`);
    return;
  }
  if (counts.length === 0) return;
  const { dim, bold } = out.colors;
  const tokens = counts.reduce((sum, row) => sum + row.tokens, 0);
  const bytes = counts.reduce((sum, row) => sum + row.bytes, 0);
  const rows = counts.map((row) => [printable(row.file), grouped(row.tokens), byteSize(row.bytes)]);
  if (counts.length > 1) rows.push([counted(counts.length, 'file'), grouped(tokens), byteSize(bytes)]);
  const lines = tableLines(
    [
      { title: 'file', shrink: 'start' },
      { title: 'tokens', align: 'right' },
      { title: 'size', align: 'right' },
    ],
    rows,
    {
      columns: out.columns,
      heading: dim,
      cell: (text, row, column) => (column === 1 || row === counts.length ? bold(text) : text),
    },
  );
  await out.print(`${lines.join('\n')}\n`);
  const how = isExact ? 'exact' : 'an estimate, as nobody publishes this tokenizer';
  await notes.print(notes.colors.dim(`Counted as ${options.model} does (${family}, ${how}).\n`));
}

/** `density count`: the tokens of any text files. */
export function addCountCommand(program: Command): void {
  program
    .command('count')
    .summary('count the tokens of any text files')
    .description(
      'Counts the tokens of text files: exactly for OpenAI models, as an estimate for models whose tokenizer is not published.',
    )
    .argument('<file...>', 'text files')
    .option('--model <name>', 'the model that is to count', DEFAULT_MODEL)
    .option('--json', 'one JSON object per file and line')
    .action(count);
}
