import { existsSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { orphanResponses, pairCalls, unansweredCalls } from '../src/content/calls/pairing.ts';
import type { IContent } from '../src/content/content.ts';
import type { ToolVocabulary } from '../src/content/vocabularies/vocabulary.ts';
import { CompressionStrategyError } from '../src/errors.ts';
import type { Session, SessionFormat } from '../src/formats/contract.ts';
import { detectFormat, formatNamed, SESSION_FORMATS } from '../src/formats/index.ts';
import { linesOf } from '../src/formats/lines/lines.ts';
import { exampleSession } from '../src/sessions/example-session.ts';
import { countEntry } from '../src/tokens/entries/entry.ts';
import { createTokenizer } from '../src/tokens/index.ts';
import { type Random, seededRandom } from './random.ts';
import { CLAUDE_CODE_NAMES, copiedEntries, OUR_NAMES } from './session-copy.ts';

/** Recorded sessions beside the checkout: from the sources, and from where the build puts them. */
const FOLDERS = ['../../shared/data', '../../../shared/data'].map((to) => path.resolve(import.meta.dirname, to));

const ROOT = '/home/dev';
const STARTED_AT = Date.UTC(2026, 0, 5, 8);

/** Which recordings a format is chained from, and how their tools are called in it. */
const SOURCES: Readonly<Record<string, { readonly folder: string; readonly names: Readonly<Record<string, string>> }>> =
  {
    'claude-code': { folder: 'claude-code', names: {} },
    'anthropic-messages': { folder: 'claude-code', names: {} },
    codex: { folder: 'codex', names: {} },
    'openai-chat': { folder: 'claude-code', names: OUR_NAMES },
    'high-density': { folder: 'claude-code', names: OUR_NAMES },
  };

export interface ChainOptions {
  /** Tokens (o200k_base) that the chain has at least; it ends with the whole turn that reaches them. */
  readonly tokens: number;
  readonly seed: number;
}

export interface ChainedHistory {
  readonly entries: readonly IContent[];
  readonly tokens: number;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  /** A description of its sources, shown beside every figure. */
  readonly source: string;
}

interface Recording {
  readonly entries: readonly IContent[];
  readonly root: string | undefined;
}

/** The entries of a session up to the last point at which every call has a result; undefined if there is none. */
function recordingOf(session: Session): Recording | undefined {
  const entries = session.events.flatMap((event) => (event.kind === 'add' ? [event.content] : []));
  const open = unansweredCalls(pairCalls(entries));
  const whole = entries.slice(0, open[0]?.entry ?? entries.length);
  const isPaired = orphanResponses(pairCalls(whole)).length === 0;
  return isPaired && whole.length > 1 ? { entries: whole, root: session.workspaceRoot } : undefined;
}

function recordedIn(folder: string): Recording[] {
  const data = FOLDERS.find((candidate) => existsSync(candidate));
  if (data === undefined) return [];
  const files = readdirSync(path.join(data, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.jsonl?$/.test(name),
  );
  return files.sort().flatMap((name) => {
    const bytes = readFileSync(path.join(data, folder, name));
    try {
      const head = new TextDecoder().decode(bytes.subarray(0, 256 * 1024));
      return recordingOf(detectFormat(head).read(linesOf(() => [bytes]))) ?? [];
    } catch (error) {
      if (error instanceof CompressionStrategyError) return [];
      throw error;
    }
  });
}

function recordingsFor(format: string): {
  recordings: readonly Recording[];
  names: Readonly<Record<string, string>>;
  source: string;
} {
  const { folder, names } = SOURCES[format] ?? SOURCES['high-density']!;
  const recordings = recordedIn(folder);
  if (recordings.length > 0) return { recordings, names, source: `${recordings.length} recordings of ${folder}` };
  const generated = recordingOf(exampleSession());
  const isTheirs = folder === 'claude-code' && names !== OUR_NAMES;
  return { recordings: generated ? [generated] : [], names: isTheirs ? CLAUDE_CODE_NAMES : {}, source: 'the example' };
}

/** Whole sessions one after the other, in a random order that repeats, until there are enough tokens. */
function chained(format: SessionFormat, { tokens, seed }: ChainOptions): ChainedHistory {
  const random: Random = seededRandom(seed);
  const tokenizer = createTokenizer('o200k');
  const { recordings, names, source } = recordingsFor(format.name);
  const entries: IContent[] = [];
  let total = 0;
  let copy = 0;
  let waiting: Recording[] = [];
  while (total < tokens) {
    if (waiting.length === 0) waiting = random.shuffle(recordings);
    const { entries: recorded, root } = waiting.pop()!;
    copy++;
    const startedAt = STARTED_AT + entries.length * 1000;
    const to = `${ROOT}/project-${copy}`;
    const added = copiedEntries(recorded, { random, from: root, to, names, startedAt });
    let isOpen = 0;
    for (const entry of added) {
      // Only where every call is answered may the chain end.
      if (total >= tokens && isOpen === 0 && entry.speaker !== 'tool') break;
      entries.push(entry);
      total += countEntry(entry, tokenizer);
      for (const { type } of entry.blocks) isOpen += type === 'tool_call' ? 1 : type === 'tool_response' ? -1 : 0;
    }
  }
  return { entries, tokens: total, vocabulary: format.vocabulary, workspaceRoot: ROOT, source };
}

/** A history of any size, with the tools of Claude Code, made of whole recorded sessions (of the example where those are absent). */
export function chainedHistory(options: ChainOptions): ChainedHistory {
  return chained(formatNamed('claude-code'), options);
}

/** A session file of any size in any format that can be created, in pieces to be joined. */
export function chainedSession(
  format: string,
  options: ChainOptions,
): { pieces: Iterable<Uint8Array>; source: string } {
  const target = formatNamed(format);
  if (target.create === undefined) {
    const known = SESSION_FORMATS.filter(({ create }) => create !== undefined).map(({ name }) => name);
    throw new CompressionStrategyError(
      `Expected a format that can be created (${known.join(', ')}), got ${format}.`,
      'USAGE',
    );
  }
  const { entries, workspaceRoot, source } = chained(target, options);
  const id = `00000000-0000-4000-8000-${seededRandom(options.seed).hex(12)}`;
  return {
    pieces: target.create(entries, { id, model: 'claude-sonnet-4-5', workspaceRoot, startedAt: STARTED_AT }),
    source,
  };
}

function parsedSize(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([kM]?)$/.exec(text) ?? [];
  return Math.round(Number(digits) * (unit === 'M' ? 1e6 : unit === 'k' ? 1e3 : 1));
}

/** `sessions --tokens 1M --format claude-code -o file [--seed 1]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tokens: { type: 'string', default: '1M' },
      format: { type: 'string', default: 'claude-code' },
      output: { type: 'string', short: 'o', default: '-' },
      seed: { type: 'string', default: '1' },
    },
  });
  const tokens = parsedSize(values.tokens);
  if (!(tokens > 0)) throw new CompressionStrategyError('Expected --tokens such as 500k or 1M.', 'USAGE');
  const { pieces, source } = chainedSession(values.format, { tokens, seed: Number(values.seed) });
  if (values.output === '-') {
    for (const piece of pieces) writeSync(1, piece);
  } else {
    const file = await open(values.output, 'w');
    for (const piece of pieces) await file.writeFile(piece);
    await file.close();
  }
  console.error(`${values.tokens} tokens chained from ${source}, seed ${values.seed}`);
}

if (process.argv[1] === import.meta.filename) await main();
