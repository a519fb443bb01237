import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { CompressionStrategyError } from '../../src/errors.ts';
import { type Line, liveHistory, type SessionFormat } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { decode, joinLines, linesOf, linesOfText } from '../../src/formats/lines/lines.ts';

/** What a format can say beside text, calls and results. */
type Holding = 'thinking' | 'error' | 'media';

/** Invented sessions of one format, and what kind of file it is. */
export interface FormatSample {
  /** `lines`: one JSON value a line, each on its own; `document`: one JSON value. */
  readonly shape: 'lines' | 'document';
  /** Whole files; the first has at least two answered calls and a human text, and is read without a skipped line. */
  readonly texts: readonly string[];
  /** What `create` keeps of an entry beside text, calls and results. */
  readonly holds: readonly Holding[];
  /** Files without ids of their own: the id of an entry is its position, and changes when something before it is removed. */
  readonly idsArePlaces?: true;
  /** Files that record no calls: edits are words of the model. */
  readonly hasNoCalls?: true;
  /** Lines that change at most when a block does; 1 if absent. More for agents that record a call several times. */
  readonly linesPerBlock?: number;
}

/** What a file says: facts in `metadata` are not changed by `write`, and ids may be places where a file has none. */
export const spoken = (history: readonly IContent[]) => history.map(({ speaker, blocks }) => ({ speaker, blocks }));

/** Ids of the entries whose blocks are as they were in `before`. */
function keptIds(history: readonly IContent[], before: readonly IContent[]): unknown[] {
  return history
    .filter(({ blocks }) => before.some((entry) => isDeepStrictEqual(entry.blocks, blocks)))
    .map(({ metadata }) => metadata?.id);
}

/** The live history of a text. */
export const historyOf = (format: SessionFormat, text: string): IContent[] =>
  liveHistory(format.read(linesOfText(text)));

function rewrittenBytes(format: SessionFormat, text: string, history: readonly IContent[]): Uint8Array {
  if (!format.write) throw new Error(`${format.name} is read-only`);
  return joinLines(format.write(linesOfText(text), history));
}

/** The text after writing `history` into it. */
export const rewritten = (format: SessionFormat, text: string, history: readonly IContent[]): string =>
  decode(rewrittenBytes(format, text, history));

/** Calls without a response and responses without a call, by id. */
export function unpaired(history: readonly IContent[]): string[] {
  const open: string[] = [];
  const orphans: string[] = [];
  for (const block of history.flatMap(({ blocks }) => blocks)) {
    if (block.type === 'tool_call') open.push(block.id);
    if (block.type !== 'tool_response') continue;
    const place = open.indexOf(block.callId);
    if (place === -1) orphans.push(block.callId);
    else open.splice(place, 1);
  }
  return [...open, ...orphans];
}

/** Lines of `before` that are not in `after`, counted with repetition. */
export function changedLines(before: string, after: string): number {
  const left = new Map<string, number>();
  for (const line of after.split('\n')) left.set(line, (left.get(line) ?? 0) + 1);
  return before.split('\n').filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  }).length;
}

type Change = (block: ContentBlock) => ContentBlock | undefined;

/** The history with one block changed or removed (`undefined`), without empty entries. */
function mapped(history: readonly IContent[], change: Change): IContent[] {
  return history.flatMap((entry) => {
    const blocks = entry.blocks.flatMap((block) => change(block) ?? []);
    if (blocks.length === 0) return [];
    return blocks.every((block, index) => block === entry.blocks[index]) && blocks.length === entry.blocks.length
      ? [entry]
      : [{ ...entry, blocks }];
  });
}

const blocksOf = (history: readonly IContent[]): ContentBlock[] => history.flatMap(({ blocks }) => [...blocks]);

/** One edit of each kind that strategies make. */
function edits(history: readonly IContent[]): Map<string, IContent[]> {
  const blocks = blocksOf(history);
  const response = blocks.find((block) => block.type === 'tool_response');
  const human = history.find(({ speaker }) => speaker === 'human')?.blocks.find(({ type }) => type === 'text');
  const shorter: Change = (block) =>
    block.type === 'tool_response' ? { ...block, result: 'gone: "quoted", \\ and é\n' } : block;
  return new Map([
    ['nothing', [...history]],
    ['every result replaced', mapped(history, shorter)],
    ['one result replaced', mapped(history, (block) => (block === response ? shorter(block) : block))],
    [
      'one pair removed',
      mapped(history, (block) =>
        response?.type === 'tool_response' &&
        ((block.type === 'tool_call' && block.id === response.callId) ||
          (block.type === 'tool_response' && block.callId === response.callId))
          ? undefined
          : block,
      ),
    ],
    [
      'all pairs removed',
      mapped(history, (block) =>
        block.type === 'tool_call' || block.type === 'tool_response' || block.type === 'media' ? undefined : block,
      ).filter(({ speaker }) => speaker !== 'tool'),
    ],
    [
      'one human text replaced',
      mapped(history, (block) => (block === human && block.type === 'text' ? { ...block, text: 'a.ts' } : block)),
    ],
  ]);
}

const ANSWERED: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Fix the "build", please.\nIt fails. ✗' }] },
  {
    speaker: 'ai',
    blocks: [
      { type: 'text', text: 'I look first.' },
      { type: 'tool_call', id: 'call_1', name: 'read_file', parameters: { path: 'src/a.ts', limit: 3 } },
      { type: 'tool_call', id: 'call_2', name: 'read_file', parameters: { path: 'src/b.ts' } },
    ],
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'call_1', toolName: 'read_file', result: 'export const a = 1;\n' }],
  },
  { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'call_2', toolName: 'read_file', result: 'let b;' }] },
  { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }] },
  { speaker: 'human', blocks: [{ type: 'text', text: 'Thanks.' }] },
];

const EXTRA: Readonly<Record<Holding, readonly IContent[]>> = {
  thinking: [
    {
      speaker: 'ai',
      blocks: [
        { type: 'thinking', thought: 'Which file?', signature: 'c2lnbmF0dXJl', sourceField: 'thinking' },
        { type: 'text', text: 'That one.' },
      ],
    },
    { speaker: 'human', blocks: [{ type: 'text', text: 'Good.' }] },
  ],
  error: [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'call_3', name: 'shell', parameters: { command: 'make' } }] },
    {
      speaker: 'tool',
      blocks: [
        { type: 'tool_response', callId: 'call_3', toolName: 'shell', result: 'no rule\nstop', error: 'Exit code 2' },
      ],
    },
    { speaker: 'ai', blocks: [{ type: 'text', text: 'It failed.' }] },
    { speaker: 'human', blocks: [{ type: 'text', text: 'I see.' }] },
  ],
  media: [
    {
      speaker: 'human',
      blocks: [
        { type: 'text', text: 'This picture:' },
        { type: 'media', mimeType: 'image/png', data: 'aGVsbG8=', encoding: 'base64' },
      ],
    },
    { speaker: 'ai', blocks: [{ type: 'text', text: 'A cat.' }] },
  ],
};

/** Runs what every format owes over one of them. `foreign` are files of all other formats. */
export function formatContract(format: SessionFormat, sample: FormatSample, foreign: readonly string[]): void {
  const [text = ''] = sample.texts;

  describe(`format ${format.name}`, () => {
    test('detects its own files, also when only their start is at hand', () => {
      for (const own of sample.texts) {
        for (const part of [1, 0.75, 0.5])
          expect(detectFormat(own.slice(0, Math.ceil(own.length * part))).name).toBe(format.name);
      }
    });

    test('detects no file of another format, no broken file and no prose', () => {
      const wrong = [
        ...foreign,
        '',
        '\n',
        '{',
        '[',
        '{}',
        '[]',
        '{"a":1}\n{"b":2}\n',
        'Dear reader,\n',
        '\u0000\u0001',
      ];
      expect(wrong.filter((other) => format.detect(other))).toEqual([]);
    });

    test('reads entries with unique ids and no entry without blocks', () => {
      for (const own of sample.texts) {
        const session = format.read(linesOfText(own));
        expect(session.format).toBe(format.name);
        const history = liveHistory(session);
        const ids = history.map(({ metadata }) => metadata?.id);
        expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
        expect(new Set(ids).size).toBe(ids.length);
        expect(history.filter(({ blocks }) => blocks.length === 0)).toEqual([]);
      }
      const responses = blocksOf(historyOf(format, text)).filter(({ type }) => type === 'tool_response');
      expect(responses.length).toBeGreaterThanOrEqual(sample.hasNoCalls ? 0 : 2);
      expect(unpaired(historyOf(format, text))).toEqual([]);
    });

    test('throws a clear error for a file with nothing in it', () => {
      for (const nothing of ['', '\n\n', '\ufeff', 'Dear reader,\n']) {
        let caught: unknown;
        try {
          format.read(linesOfText(nothing));
        } catch (error) {
          caught = error;
        }
        expect(caught).toBeInstanceOf(CompressionStrategyError);
        expect((caught as CompressionStrategyError).code).toBe('SESSION_UNREADABLE');
        expect((caught as CompressionStrategyError).message).toMatch(/^Expected .*got /);
      }
    });

    test('reads or refuses a file that is cut anywhere, and never fails otherwise', () => {
      const bytes = new TextEncoder().encode(text);
      const step = Math.max(1, Math.floor(bytes.length / 400));
      for (let size = 0; size < bytes.length; size += step) {
        const lines = linesOf(() => [bytes.subarray(0, size)]);
        try {
          const { skipped } = format.read(lines);
          expect(skipped.length).toBeLessThanOrEqual(1);
        } catch (error) {
          expect(error).toBeInstanceOf(CompressionStrategyError);
          expect((error as CompressionStrategyError).code).toBe('SESSION_UNREADABLE');
        }
      }
    });

    test('reads the same entries behind a byte order mark and with CRLF line ends', () => {
      const expected = spoken(historyOf(format, text));
      expect(spoken(historyOf(format, `\ufeff${text}`))).toEqual(expected);
      expect(spoken(historyOf(format, text.replaceAll('\n', '\r\n')))).toEqual(expected);
    });

    if (sample.shape === 'lines') linesContract(format, sample);
    if (format.write) writeContract(format, sample);
    if (format.create) createContract(format, sample);
  });
}

function linesContract(format: SessionFormat, sample: FormatSample): void {
  const [text = ''] = sample.texts;

  test('lists a line it cannot use, by number, and uses the others', () => {
    const [first, ...rest] = text.split('\n');
    const { skipped, ...session } = format.read(linesOfText([first, '{"cut": [1, 2', ...rest].join('\n')));
    expect(skipped.map(({ line }) => line)).toEqual([2]);
    expect(skipped[0]?.reason).toMatch(/JSON/);
    expect(session.events.length).toBe(format.read(linesOfText(text)).events.length);
  });

  if (!format.write) return;

  test('leaves every line byte for byte as it was whose blocks did not change', () => {
    for (const own of sample.texts) {
      const before = historyOf(format, own);
      for (const [name, after] of edits(before)) {
        const kept = blocksOf(after);
        const touched = blocksOf(before).filter((block) => !kept.some((other) => isDeepStrictEqual(other, block)));
        expect(changedLines(own, rewritten(format, own, after)), name).toBeLessThanOrEqual(
          touched.length * (sample.linesPerBlock ?? 1),
        );
      }
    }
  });

  test('keeps lines of a type it does not know', () => {
    const [first, ...rest] = text.split('\n');
    const unknown = '{"type":"x-unknown", "payload":{"keep": 1.0}}';
    const marked = [first, unknown, ...rest].join('\n');
    const session = format.read(linesOfText(marked));
    expect(session.skipped).toEqual([]);
    const written = rewritten(format, marked, edits(liveHistory(session)).get('all pairs removed') ?? []);
    expect(written.split('\n')[1]).toBe(unknown);
  });
}

function writeContract(format: SessionFormat, sample: FormatSample): void {
  const [text = ''] = sample.texts;

  test('writes back byte for byte what it read when nothing changed', () => {
    for (const own of sample.texts) {
      for (const file of [own, `\ufeff${own}`, own.replaceAll('\n', '\r\n'), own.trimEnd()])
        expect(rewrittenBytes(format, file, historyOf(format, file))).toEqual(joinLines(linesOfText(file)));
    }
  });

  test('writes what it is given: read again, the file says exactly that, and no new call is left unanswered', () => {
    for (const own of sample.texts) {
      const before = historyOf(format, own);
      for (const [name, after] of edits(before)) {
        const written = rewritten(format, own, after);
        const again = historyOf(format, written);
        expect(spoken(again), name).toEqual(spoken(after));
        if (!sample.idsArePlaces) expect(keptIds(again, before), name).toEqual(keptIds(after, before));
        expect(
          unpaired(again).filter((id) => !unpaired(before).includes(id)),
          name,
        ).toEqual([]);
        expect(rewritten(format, written, again), name).toBe(written);
      }
    }
  });

  test('keeps fields it does not know, and CRLF line ends', () => {
    const marked = text
      .replaceAll(/^\{/gm, () => '{"x-unknown":{"keep": [1.0, "é"]},')
      .replaceAll(',}', '}')
      .replaceAll('\n', '\r\n');
    const count = (file: string): number => file.split('"x-unknown":{"keep": [1.0, "é"]}').length;
    const history = historyOf(format, marked);
    expect(spoken(history)).toEqual(spoken(historyOf(format, text)));
    const written = rewritten(format, marked, edits(history).get('every result replaced') ?? []);
    expect(count(written)).toBe(count(marked));
    expect(written.split('\r\n').length).toBe(marked.split('\r\n').length);
  });

  test('refuses entries in another order, and lines that can be passed over only once', () => {
    const history = historyOf(format, text);
    expect(() => rewritten(format, text, history.toReversed())).toThrow(CompressionStrategyError);
    const once = function* (): Generator<Line> {
      yield* linesOfText(text);
    };
    expect(() => joinLines(format.write?.(once(), history) ?? [])).toThrow(/read several times/);
  });
}

function createContract(format: SessionFormat, sample: FormatSample): void {
  const history = [...ANSWERED, ...sample.holds.flatMap((holding) => EXTRA[holding])];
  const session = { id: '6f1c1f0e-3b0c-4c35-9d0a-0f7c2a4f9b11', model: 'model-x', startedAt: 1_750_000_000_000 };
  const created = (entries: readonly IContent[]): string =>
    decode(joinLines(format.create?.(entries, { ...session, workspaceRoot: '/repo/demo' }) ?? []));

  test('creates a file that is detected as its own and reads back to the same entries', () => {
    const text = created(history);
    expect(detectFormat(text).name).toBe(format.name);
    const read = format.read(linesOfText(text));
    expect(read.skipped).toEqual([]);
    expect(spoken(liveHistory(read))).toEqual(history);
    expect(created(history)).toBe(text);
    if (format.write) expect(rewritten(format, text, liveHistory(read))).toBe(text);
  });

  test('refuses to create a file with values that JSON cannot contain', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const entry: IContent = {
      speaker: 'ai',
      blocks: [{ type: 'tool_call', id: 'c', name: 'n', parameters: circular }],
    };
    expect(() => created([...ANSWERED, entry])).toThrow(CompressionStrategyError);
  });
}
