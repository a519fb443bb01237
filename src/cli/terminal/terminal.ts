import { fstatSync, writeFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { reasonOf } from '../../disk/reason-of.ts';
import { CompressionStrategyError, codeOf } from '../../errors.ts';

type Colors = ReturnType<typeof picocolors.createColors>;

/** An output stream and how a command may write to it. */
export interface Screen {
  readonly stream: NodeJS.WriteStream;
  readonly colors: Colors;
  /** 80 at most: longer lines of prose are hard to read. */
  readonly columns: number;
  /** All of them, for a table with columns of text. */
  readonly allColumns: number;
  /** True on a terminal that can draw over a line. */
  readonly isLive: boolean;
  /** True with `--plain`: words and numbers only. */
  readonly isPlain: boolean;
  /** Resolves when the text is written. @throws CompressionStrategyError `OUTPUT_FAILED`, or the stream's own `EPIPE`. */
  print(text: string | Uint8Array): Promise<void>;
}

const WIDEST_COLUMNS = 80;
const NARROWEST_COLUMNS = 40;

const wantsPlain = (): boolean => process.argv.includes('--plain');

/** https://no-color.org, https://force-color.org: any value but the empty one counts. */
function wantsColor(stream: NodeJS.WriteStream): boolean {
  if (wantsPlain()) return false;
  if (process.env['NO_COLOR']) return false;
  if (process.env['FORCE_COLOR']) return process.env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && process.env['TERM'] !== 'dumb';
}

type Standard = NodeJS.WriteStream & { readonly fd: number };

function screen(stream: Standard): Screen {
  // Without a terminal the variable may say how wide the reader is.
  const allColumns = Math.max(NARROWEST_COLUMNS, stream.columns || Number(process.env['COLUMNS']) || WIDEST_COLUMNS);
  // A failed write reports to its callback. Without this listener it would end the process first.
  stream.on('error', () => {});
  return {
    stream,
    colors: picocolors.createColors(wantsColor(stream)),
    columns: Math.min(WIDEST_COLUMNS, allColumns),
    allColumns,
    isLive: stream.isTTY === true && process.env['TERM'] !== 'dumb' && !wantsPlain(),
    isPlain: wantsPlain(),
    print: isFile(stream) ? async (text) => printToFile(stream.fd, text) : (text) => printToStream(stream, text),
  };
}

function isFile({ fd }: Standard): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** Writes all of it. The stream that Node makes of a file reports no error where a full disk takes only a part. */
function printToFile(fd: number, text: string | Uint8Array): void {
  try {
    writeFileSync(fd, text);
  } catch (error) {
    throw printFailure(error as Error);
  }
}

const printToStream = (stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(printFailure(error)) : resolve()));
  });

/** Keeps `EPIPE` for the caller and explains every other error. */
function printFailure(error: Error): Error {
  if (codeOf(error) === 'EPIPE') return error;
  return new CompressionStrategyError(`Expected to write the output, but ${reasonOf(error)}.`, 'OUTPUT_FAILED', {
    cause: error,
  });
}

let screens: { readonly out: Screen; readonly notes: Screen } | undefined;

/** Standard output for results and standard error for everything else. */
export function terminal(): { readonly out: Screen; readonly notes: Screen } {
  screens ??= { out: screen(process.stdout), notes: screen(process.stderr) };
  return screens;
}
