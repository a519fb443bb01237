import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { applyEdits } from '../../src/history/apply.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { historyOf, rewritten, unpaired } from '../contracts/format.ts';
import { expectResumable, type Resumable, sealsIn } from '../contracts/resumable.ts';
import { realSessions } from '../real-sessions.ts';
import { SAMPLES } from './samples.ts';

type Fields = Readonly<Record<string, unknown>>;

const HEAD_CHARACTERS = 256 * 1024;
const rowsOf = (text: string): Fields[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields);
const listOf = (document: unknown): Fields[] => ((document as Fields)['messages'] ?? []) as Fields[];

/** The lines or messages of a file, and where their id and the id they hang on stand. */
const PARTS: Readonly<
  Record<string, { rows: (text: string) => Fields[]; id: (row: Fields) => unknown; parent: (row: Fields) => unknown }>
> = {
  'gemini-cli': { rows: rowsOf, id: ({ id }) => id, parent: () => undefined },
  'gemini-cli-json': { rows: (text) => listOf(JSON.parse(text)), id: ({ id }) => id, parent: () => undefined },
  opencode: {
    rows: (text) => listOf(JSON.parse(text)),
    id: ({ info }) => (info as Fields)['id'],
    parent: ({ info }) => (info as Fields)['parentID'],
  },
  pi: { rows: rowsOf, id: ({ id }) => id, parent: ({ parentId }) => parentId ?? undefined },
  llxprt: { rows: rowsOf, id: ({ ts }) => ts, parent: () => undefined },
};

function factsOf(name: string, text: string, history: readonly IContent[]): Resumable {
  const { rows, id, parent } = PARTS[name] ?? { rows: rowsOf, id: () => undefined, parent: () => undefined };
  const all = rows(text);
  const [first] = all;
  const named = all.flatMap((row) => (typeof id(row) === 'string' ? [[String(id(row)), row] as const] : []));
  return {
    identity: [first?.['sessionId'] ?? first?.['version'], first && id(first)],
    ids: named.map(([own]) => own),
    parents: new Map(named.flatMap(([own, row]) => (parent(row) === undefined ? [] : [[own, String(parent(row))]]))),
    signatures: new Map(named.map(([own, row]) => [own, sealsIn(row)])),
    unpaired: unpaired(history),
    sequence: all.flatMap(({ seq }) => (typeof seq === 'number' ? seq : [])),
  };
}

function checkWritten(text: string): void {
  const format = detectFormat(text.slice(0, HEAD_CHARACTERS));
  const before = historyOf(format, text);
  const strategy = getCompressionStrategy('high-density', { vocabulary: format.vocabulary });
  const result = strategy.optimize?.(before, {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 1,
    workspaceRoot: '/work/demo',
  });
  const after = result ? applyEdits(before, result, (index) => result.replacements.get(index)) : before;
  const written = rewritten(format, text, after);
  expectResumable(factsOf(format.name, text, before), factsOf(format.name, written, historyOf(format, written)));
}

describe('agents can go on with what was written', () => {
  test.each(Object.keys(PARTS))('%s, invented sessions: ids, order, parents, pairs, signatures, numbers', (name) => {
    for (const text of SAMPLES[name]?.texts ?? []) checkWritten(text);
    expect(SAMPLES[name]?.texts.length).toBeGreaterThan(0);
  });

  test.each(realSessions('gemini', 'opencode', 'pi').map((file) => [path.basename(file), file] as const))(
    '%s: ids, order, parents, pairs, signatures',
    (_, file) => checkWritten(readFileSync(file, 'utf8')),
  );
});
