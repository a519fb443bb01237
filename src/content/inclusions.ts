import type { ContentBlock, IContent } from './content.ts';

/** A position in the text of an entry: an offset in UTF-16 units into the text of one block. */
export interface TextPosition {
  readonly block: number;
  readonly offset: number;
}

/**
 * A file that a command line copied into a message because the user typed `@path`, from `start` to `end`; these may be
 * in different blocks. `path` is as written. `frame` is the part from banner to closing line around it, if any.
 */
export interface Inclusion {
  readonly path: string;
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly frame?: InclusionFrame;
}

/** All inclusions between one banner and its closing line; `end` is absent if there is no closing line. */
export interface InclusionFrame {
  readonly start: TextPosition;
  readonly end?: TextPosition;
  readonly inclusions: readonly Inclusion[];
}

const CLOSER = '--- End of content ---';
const BANNER = '--- Content from referenced files ---';
const OPENING = /^--- (.+) ---$/;
const HEADER = /^Content from @(.+):$/;

interface Line {
  /** Without line end and trailing blanks. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type OpenFrame = { -readonly [Key in keyof InclusionFrame]: InclusionFrame[Key] } & { inclusions: Inclusion[] };

interface OpenHeader {
  readonly path: string;
  readonly start: TextPosition;
}

/**
 * The inclusions of an entry, in order, in the two shapes that command lines write. First: `--- path ---` to
 * `--- End of content ---` in one text block. Second, after a banner: `Content from @path:` to the next such line or to
 * the closing line, in one block or over consecutive blocks. An opening without its own closing line does not count.
 * Linear in the text. Source: REQ-HD-006.1, 006.5; docs/readings.md, row 8.
 */
export function findInclusions({ blocks }: IContent): Inclusion[] {
  const found: Inclusion[] = [];
  for (let block = 0; block < blocks.length; ) {
    const item = blocks[block]!;
    if (item.type !== 'text' || !(item.text.includes(CLOSER) || item.text.includes(BANNER))) {
      block++;
      continue;
    }
    const last = edgeLine(item.text, 'last');
    if (last?.text === BANNER) {
      collectInBlock(item.text.slice(0, last.start), block, found);
      block = collectSpread(blocks, { block, offset: last.start }, found);
    } else {
      collectInBlock(item.text, block, found);
      block++;
    }
  }
  return found;
}

/** Finds both shapes in one block, line by line. */
function collectInBlock(text: string, block: number, found: Inclusion[]): void {
  let opening: OpenHeader | undefined;
  let header: OpenHeader | undefined;
  let frame: OpenFrame | undefined;
  const endHeader = (offset: number): void => {
    if (header !== undefined && frame !== undefined) addFramed(header, { block, offset }, frame, found);
    header = undefined;
  };
  for (const line of markerLines(text)) {
    const start: TextPosition = { block, offset: line.start };
    if (line.text === BANNER) {
      frame = { start, inclusions: [] };
      opening = undefined;
      header = undefined;
    } else if (line.text === CLOSER) {
      if (opening !== undefined) found.push({ ...opening, end: { block, offset: line.end } });
      else if (frame !== undefined) {
        endHeader(line.start);
        frame.end = { block, offset: line.end };
      }
      opening = undefined;
      frame = undefined;
    } else if (line.text.startsWith('Content from @')) {
      if (frame === undefined) continue;
      endHeader(line.start);
      header = { path: HEADER.exec(line.text)![1]!.trim(), start };
    } else {
      opening = { path: OPENING.exec(line.text)![1]!.trim(), start };
      header = undefined;
      frame = undefined;
    }
  }
}

/**
 * Finds the second shape in the blocks after the banner at `start`: a header is the first line of its block, the closing
 * line is the last of its block, and text between them is not searched. Returns the block at which to continue.
 */
function collectSpread(blocks: readonly ContentBlock[], start: TextPosition, found: Inclusion[]): number {
  const frame: OpenFrame = { start, inclusions: [] };
  let header: OpenHeader | undefined;
  for (let block = start.block + 1; block < blocks.length; block++) {
    const item = blocks[block]!;
    if (item.type === 'media' || item.type === 'code') continue;
    if (item.type !== 'text') break;
    const last = edgeLine(item.text, 'last');
    if (last?.text === BANNER) break;
    const path = HEADER.exec(edgeLine(item.text, 'first')?.text ?? '')?.[1];
    if (path !== undefined) {
      const at: TextPosition = { block, offset: 0 };
      if (header !== undefined) addFramed(header, at, frame, found);
      header = { path: path.trim(), start: at };
    }
    if (last?.text !== CLOSER) continue;
    const offset = item.text.slice(0, last.start).trim() === '' ? 0 : last.start;
    if (header !== undefined) addFramed(header, { block, offset }, frame, found);
    frame.end = { block, offset: item.text.length };
    return block + 1;
  }
  return Math.max(header?.start.block ?? 0, start.block + 1);
}

function addFramed({ path, start }: OpenHeader, end: TextPosition, frame: OpenFrame, found: Inclusion[]): void {
  const inclusion: Inclusion = { path, start, end, frame };
  frame.inclusions.push(inclusion);
  found.push(inclusion);
}

/** The lines of `text` that are a banner, a header, an opening or a closing line. */
function* markerLines(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    if (text.startsWith('--- ', start) || text.startsWith('Content from @', start)) {
      const line = lineAt(text, start, newline === -1 ? text.length : newline);
      if (OPENING.test(line.text) || HEADER.test(line.text)) yield line;
    }
    start = next;
  }
}

/** The first or the last line of `text` that is not blank. */
function edgeLine(text: string, edge: 'first' | 'last'): Line | undefined {
  if (edge === 'first') {
    const at = text.search(/\S/);
    if (at === -1) return undefined;
    const newline = text.indexOf('\n', at);
    return lineAt(text, text.lastIndexOf('\n', at) + 1, newline === -1 ? text.length : newline);
  }
  const end = text.trimEnd().length;
  return end === 0 ? undefined : lineAt(text, text.lastIndexOf('\n', end - 1) + 1, end);
}

function lineAt(text: string, start: number, end: number): Line {
  const line = text.slice(start, end).trimEnd();
  return { text: line, start, end: start + line.length };
}
