import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../bench/random.ts';
import { CompressionStrategyError } from '../../src/errors.ts';
import { liveHistory, type Session, type SessionFormat } from '../../src/formats/contract.ts';
import { detectFormat, SESSION_FORMATS } from '../../src/formats/index.ts';
import { decode, joinLines, linesOf, linesOfText, parseLine } from '../../src/formats/lines/lines.ts';
import { spoken } from '../contracts/format.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import { lostWords } from './intact-units.ts';
import { MUTATIONS, type MutatedFile, mutatedFile } from './mutated-files.ts';
import { SAMPLES } from './samples.ts';

/** All that a release asks for, with FUZZ_RUNS=2000; less in the suite. */
const isRelease = process.env['FUZZ_RUNS'] !== undefined;
/** Files that are spoilt. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 250);
/** Work that grows with the square of a line would not end for the smaller one either. */
const LONG_MB = isRelease ? 100 : 20;
/** On a machine that has much else to do. */
const RUN_MS = 500;
const LARGEST_BYTES = 150_000;
const FOLDERS = ['aider', 'anthropic-messages', 'atif', 'claude-code', 'cline-roo', 'codex', 'copilot-cli', 'gemini'];
const MORE_FOLDERS = ['mini-swe-agent', 'openai-chat', 'opencode', 'openhands', 'pi', 'swe-agent'];

interface Source {
  readonly name: string;
  readonly format: SessionFormat;
  readonly text: string;
}

function recorded(): Source[] {
  return realSessions(...FOLDERS, ...MORE_FOLDERS)
    .filter((file) => statSync(file).size <= LARGEST_BYTES)
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const format = SESSION_FORMATS.find((candidate) => candidate.detect(text.slice(0, 256 * 1024)));
      return format ? [{ name: file, format, text }] : [];
    });
}

const invented = (): Source[] =>
  SESSION_FORMATS.flatMap((format) =>
    (SAMPLES[format.name]?.texts ?? []).map((text, index) => ({ name: `${format.name} ${index}`, format, text })),
  );

const isLines = ({ name }: SessionFormat): boolean => SAMPLES[name]?.shape === 'lines';

const linesIn = (bytes: Uint8Array) => linesOf(() => [bytes]);

/** The session, or nothing where it is refused as it should be: with a message that names what and where. */
function readOrRefused(format: SessionFormat, bytes: Uint8Array): Session | undefined {
  try {
    return format.read(linesIn(bytes));
  } catch (error) {
    if (!(error instanceof CompressionStrategyError)) throw error;
    expect(error.code).toBe('SESSION_UNREADABLE');
    expect(error.message).toMatch(/^Expected [\s\S]*got [\s\S]*(\d|empty)/);
    return undefined;
  }
}

/** Lines that are no JSON and are not reported. */
function untoldLines(bytes: Uint8Array, { skipped }: Session): number[] {
  const told = new Set(skipped.map(({ line }) => line));
  return [...linesIn(bytes)].flatMap((line, index) =>
    parseLine(line).kind === 'broken' && !told.has(index + 1) ? [index + 1] : [],
  );
}

function check({ format, text }: Source, { bytes, keeps }: MutatedFile): 'read' | 'refused' {
  try {
    detectFormat(decode(bytes.subarray(0, 256 * 1024)));
  } catch (error) {
    if (!(error instanceof CompressionStrategyError)) throw error;
  }
  const session = readOrRefused(format, bytes);
  if (session || isLines(format)) {
    const before = { text, session: format.read(linesOfText(text)) };
    const [lost = ''] = lostWords(before, { text: decode(bytes), session }, isLines(format));
    expect(lost).toBe('');
  }
  if (session === undefined) {
    expect(keeps).not.toBe('all');
    return 'refused';
  }
  if (keeps === 'all')
    expect(spoken(liveHistory(session))).toEqual(
      spoken(liveHistory(format.read(linesIn(new TextEncoder().encode(text))))),
    );
  if (isLines(format)) expect(untoldLines(bytes, session)).toEqual([]);
  const ids = liveHistory(session).map(({ metadata }) => metadata?.id);
  expect(new Set(ids).size).toBe(ids.length);
  if (format.write) {
    const written = joinLines(format.write(linesIn(bytes), liveHistory(session)));
    expect(Buffer.compare(written, bytes)).toBe(0);
  }
  return 'read';
}

/** Texts of a session that its file contains word for word, once. */
function saidBy(format: SessionFormat, text: string): string[] {
  return liveHistory(format.read(linesOfText(text)))
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'text' ? block.text : [])))
    .filter((words) => !words.includes('\n') && text.split(words).length === 2);
}

describe('spoilt files', () => {
  const sources = haveRealSessions ? recorded() : invented();

  test(
    'are read or refused, say where, lose no intact line, and are written back as they are',
    () => {
      const random = seededRandom(6);
      const counts = { read: 0, refused: 0 };
      const faults: string[] = [];
      for (let run = 0; run < RUNS; run++) {
        const source = sources[random.integer(sources.length)]!;
        const kind = MUTATIONS[run % MUTATIONS.length]!;
        const file = mutatedFile(source.text, kind, random);
        try {
          counts[check(source, file)]++;
        } catch (error) {
          faults.push(`${source.name} (${source.format.name}), ${kind}, run ${run}: ${String(error).slice(0, 400)}`);
        }
      }
      console.log(`${RUNS} spoilt files of ${sources.length}: ${counts.read} read, ${counts.refused} refused.`);
      expect(faults).toEqual([]);
    },
    RUN_MS * RUNS,
  );

  const ofLines = SESSION_FORMATS.filter(isLines);

  test.each(ofLines.map((format) => [format.name, format] as const))(
    `of %s may have a line of ${LONG_MB} MB that ends in the middle: it is named, the others are read`,
    (name, format) => {
      const text = SAMPLES[name]?.texts[0] ?? '';
      const [first, ...rest] = text.split('\n').map((line) => new TextEncoder().encode(`${line}\n`));
      const long = new Uint8Array(LONG_MB * 1_000_000).fill(97);
      long.set(new TextEncoder().encode('{"type":"user","text":"'));
      long[long.length - 1] = 10;
      const { skipped, events } = format.read(linesOf(() => [first!, long, ...rest]));
      expect(skipped.map(({ line }) => line)).toEqual([2]);
      expect(events.length).toBe(format.read(linesOf(() => [first!, ...rest])).events.length);
    },
  );

  const withWords = SESSION_FORMATS.flatMap((format) => {
    const { texts: [text = ''] = [] } = SAMPLES[format.name] ?? {};
    const [words] = saidBy(format, text);
    return words === undefined ? [] : [[format.name, { format, text, words }] as const];
  });

  test.each(withWords)(
    `of %s may say ${LONG_MB} MB in one line, which are read whole`,
    (_, { format, text, words }) => {
      const long = 'a'.repeat(LONG_MB * 1_000_000);
      const [before = '', ...rest] = text.split(words);
      const bytes = [before, long, rest.join(words)].map((part) => new TextEncoder().encode(part));
      const { events, skipped } = format.read(linesOf(() => bytes));
      expect(skipped).toEqual([]);
      const entries = events.flatMap((event) => (event.kind === 'add' ? [event.content] : event.contents));
      const blocks = entries.flatMap((entry) => entry.blocks);
      expect(blocks.some((block) => block.type === 'text' && block.text.length === long.length)).toBe(true);
    },
  );
});
