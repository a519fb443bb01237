/**
 * Draws what a run of the built command prints in a terminal, as an SVG:
 *
 *     node tools/terminal-picture.mjs docs/images/replay.svg 'npm start' replay
 *
 * The arguments are the file (`-` for standard output), the prompt that the picture shows, and the words of the command.
 * The run has an empty home, so that it finds no sessions of this computer.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const COLUMNS = 92;
const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 20;
const MARGIN = 22;
const FONT_SIZE = 14;
const TEXT = '#d8dce5';
const DIM = '#9099a8';
const GROUND = '#171a21';
const COLOURS = { 32: '#7ed491', 33: '#f0c070' };
/** Width of a block character as a share of its cell. */
const BLOCKS = { '█': 1, '▉': 7 / 8, '▊': 3 / 4, '▋': 5 / 8, '▌': 1 / 2, '▍': 3 / 8, '▎': 1 / 4, '▏': 1 / 8, '░': 1 };

const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);
const rounded = (number) => Number(number.toFixed(1));

/** Both streams of a run, in the order in which a terminal shows them. */
function printed(words) {
  const home = mkdtempSync(path.join(tmpdir(), 'density-picture-'));
  const main = path.resolve(import.meta.dirname, '../dist/density.js');
  const env = { PATH: process.env.PATH, HOME: home, FORCE_COLOR: '1' };
  const { status, stdout } = spawnSync('sh', ['-c', '"$@" 2>&1', 'sh', process.execPath, main, ...words], { env });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) throw new Error(`Expected exit code 0 of ${words.join(' ')}, got ${status}: ${stdout}`);
  return stdout.toString().trimEnd();
}

/** Lines longer than the picture, broken at blanks. */
const wrapped = (line) =>
  line.length <= COLUMNS || line.includes('\u001b') ? [line] : line.match(new RegExp(`.{1,${COLUMNS}}(?: |$)`, 'g'));

/** The parts of a line that look alike, each with its first column. */
function partsOf(line) {
  const parts = [];
  let style = { bold: false, dim: false, colour: undefined };
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one.
  for (const [, code, text] of line.matchAll(/\u001b\[(\d+)m|([^\u001b]+)/g)) {
    if (code === '1') style = { ...style, bold: true };
    else if (code === '2') style = { ...style, dim: true };
    else if (code === '22') style = { ...style, bold: false, dim: false };
    else if (code !== undefined) style = { ...style, colour: COLOURS[code] };
    for (const [run] of text?.matchAll(/([█▉▊▋▌▍▎▏])\1*|░+|(?:(?! {2})[^█▉▊▋▌▍▎▏░])+| +/g) ?? []) {
      if (run.trim() !== '') parts.push({ ...style, run, column: column + run.search(/\S/) });
      column += run.length;
    }
  }
  return parts;
}

function drawn({ run, column, bold, dim, colour }, top) {
  const x = rounded(MARGIN + column * CELL_WIDTH);
  const fill = colour ?? (dim ? DIM : TEXT);
  const share = BLOCKS[run[0]];
  const words = run.trim();
  if (share !== undefined) {
    const width = rounded((words.length - 1 + share) * CELL_WIDTH);
    const opacity = run[0] === '░' ? ' opacity=".25"' : '';
    return `<rect x="${x}" y="${top + 3}" width="${width}" height="${LINE_HEIGHT - 6}" fill="${fill}"${opacity}/>`;
  }
  const weight = bold ? ' font-weight="700"' : '';
  const width = rounded(words.length * CELL_WIDTH);
  return `<text x="${x}" y="${top + 15}" textLength="${width}" fill="${fill}"${weight}>${escaped(words)}</text>`;
}

function picture(prompt, lines) {
  const shown = [`\u001b[2m$\u001b[22m \u001b[1m${prompt}\u001b[22m`, '', ...lines];
  const [width, height] = [MARGIN * 2 + COLUMNS * CELL_WIDTH, MARGIN * 2 + shown.length * LINE_HEIGHT].map(Math.ceil);
  const body = shown.flatMap((line, at) => partsOf(line).map((part) => drawn(part, MARGIN + at * LINE_HEIGHT)));
  const font = `font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${FONT_SIZE}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>What ${escaped(prompt)} prints</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${GROUND}"/>`,
    `<g ${font} xml:space="preserve">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const [file = '-', prompt = 'npm start', ...words] = process.argv.slice(2);
const svg = picture(prompt, printed(words).split('\n').flatMap(wrapped));
if (file === '-') process.stdout.write(svg);
else writeFileSync(file, svg);
