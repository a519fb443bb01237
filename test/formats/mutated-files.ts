import type { Random } from '../../bench/random.ts';

/** How a file was spoilt, and what of it must still be there. */
export interface MutatedFile {
  readonly kind: Mutation;
  readonly bytes: Uint8Array;
  /** `all`: the file says exactly what it said. `intact`: what its intact lines say, at least. */
  readonly keeps: 'all' | 'intact';
}

export const MUTATIONS = [
  'cut at any byte',
  'a line doubled',
  'lines reordered',
  'a value of another type',
  'a field that nobody knows',
  'CRLF line ends',
  'a byte order mark',
  'a lone surrogate',
  'bytes that are no UTF-8',
  'a line cut in the middle',
] as const;

export type Mutation = (typeof MUTATIONS)[number];

const encoder = new TextEncoder();

/** Every place of a JSON value in a text where a value starts, roughly: after a colon. */
function replacedValue(line: string, random: Random): string {
  const starts = [...line.matchAll(/":\s*(?=["\d[{tfn])/g)].map((match) => match.index + match[0].length);
  if (starts.length === 0) return line;
  const start = starts[random.integer(starts.length)]!;
  const scalar = /^(?:"(?:[^"\\]|\\.)*"|-?[\d.eE+]+|true|false|null)/.exec(line.slice(start));
  const value = ['null', '17', '"text"', '[]', '{}', '[null]', 'true', '"\\ud800"', '{"a":[{"b":null}]}'][
    random.integer(9)
  ]!;
  // A list or an object gets a sibling before it, as its end is not looked for.
  return scalar
    ? `${line.slice(0, start)}${value}${line.slice(start + scalar[0].length)}`
    : `${line.slice(0, start)}${value},"x-moved":${line.slice(start)}`;
}

/** The line with one more field, first. */
const withField = (line: string): string =>
  line.replace(/^\{(\s*\})?/, (_, end = ',') => `{"x-unknown":{"keep":[1.0,"é"]}${end}`);

/** A file spoilt in one way, at a place that the dice choose. */
export function mutatedFile(text: string, kind: Mutation, random: Random): MutatedFile {
  const lines = text.split('\n');
  const at = random.integer(Math.max(1, lines.length - 1));
  const made = (changed: readonly string[], keeps: MutatedFile['keeps']): MutatedFile => ({
    kind,
    bytes: encoder.encode(changed.join('\n')),
    keeps,
  });
  const withLine = (line: string, keeps: MutatedFile['keeps']): MutatedFile => made(lines.with(at, line), keeps);
  const line = lines[at]!;
  switch (kind) {
    case 'cut at any byte': {
      const bytes = encoder.encode(text);
      const cut = random.integer(bytes.length);
      return { kind, bytes: bytes.subarray(0, cut), keeps: 'intact' };
    }
    case 'a line doubled':
      return made(lines.toSpliced(at, 0, line), 'intact');
    case 'lines reordered': {
      const other = random.integer(lines.length);
      return made(lines.with(at, lines[other]!).with(other, line), 'intact');
    }
    case 'a value of another type':
      return withLine(replacedValue(line, random), 'intact');
    case 'a field that nobody knows':
      return withLine(withField(line), 'all');
    case 'CRLF line ends':
      return made([lines.join('\r\n')], 'all');
    case 'a byte order mark':
      return made([`\ufeff${text}`], 'all');
    case 'a lone surrogate':
      return withLine(
        line.replace(/(?<=":\s*")/, () => '\\ud83d'),
        'intact',
      );
    case 'bytes that are no UTF-8': {
      const bytes = encoder.encode(text);
      bytes[random.integer(bytes.length)] = 0x80 + random.integer(0x7f);
      return { kind, bytes, keeps: 'intact' };
    }
    case 'a line cut in the middle': {
      const cut = line.slice(0, random.integer(Math.max(1, line.length)));
      return made(lines.with(at, cut), 'intact');
    }
  }
}
