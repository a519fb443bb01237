/**
 * Histories of a million tiny entries, with one entry of 50 MB, and with values that JSON does not know: both engines
 * accept the same ones, refuse the same ones with the same error, and send the same entries with the same total.
 *
 * `npm run proof -- large-histories [entries] [megabytes]`: default 1,000,000 and 50. Needs 8 GB of memory.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  createEphemerals,
  createHistoryService,
  createToolResponse,
  type EngineName,
  type IContent,
  PreSendGate,
  ThreadPool,
} from '../../src/index.ts';

const MODEL = 'gpt-4.1';
const ENGINES: readonly EngineName[] = ['inline', 'offloaded'];

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });

const called = (id: string, name: string, file: string, result: unknown): IContent[] => [
  { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters: { file_path: `/w/${file}` } }] },
  createToolResponse(id, name, result),
];

/** A read of a file that is written later: something to remove. */
const STALE = [...called('1', 'read_file', 'a.ts', 'old'), ...called('2', 'write_file', 'a.ts', 'written')];

/** A result that is kept. */
const resultOf = (result: unknown): IContent[] => [
  said('go'),
  ...STALE,
  ...called('3', 'read_file', 'b.ts', result),
  said('and now?'),
];

function cyclic(): object {
  const value: Record<string, unknown> = { name: 'a' };
  value['self'] = value;
  return value;
}

function withGetter(): object {
  return Object.defineProperty({}, 'text', {
    enumerable: true,
    get: () => {
      throw new Error('thrown by a getter');
    },
  });
}

function cases(entries: number, megabytes: number): Readonly<Record<string, () => readonly IContent[]>> {
  return {
    [`${entries} entries`]: () => [
      ...Array.from({ length: entries - 5 }, (_, index) => said(`n${index}`)),
      ...STALE,
      said('and now?'),
    ],
    [`a result of ${megabytes} MB`]: () => resultOf('one line of a file\n'.repeat((megabytes * 1e6) / 19)),
    [`a message of ${megabytes} MB`]: () => [said('word '.repeat((megabytes * 1e6) / 5)), ...STALE],
    'a cycle': () => resultOf(cyclic()),
    'a getter that throws': () => resultOf(withGetter()),
    'a function': () => resultOf({ run: () => 1 }),
    'frozen entries': () => resultOf('old').map((entry) => Object.freeze(entry)),
    '__proto__ as a key': () => resultOf(JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x"}')),
    'numbers that JSON does not know': () => resultOf({ values: [Number.NaN, Number.POSITIVE_INFINITY, -0, 10n] }),
    'dates, maps and symbols': () => resultOf({ at: new Date(0), map: new Map([['a', 1]]), [Symbol('s')]: 1 }),
  };
}

interface Outcome {
  readonly error?: string;
  readonly total?: number;
  readonly sent?: readonly IContent[];
  readonly ms: number;
}

async function outcomeOf(engine: EngineName, entries: readonly IContent[], pool: ThreadPool): Promise<Outcome> {
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  const history = createHistoryService({ engine, pool, model: MODEL });
  const ephemerals = createEphemerals([{ 'compression.density.readWritePruning': true }], { model: MODEL });
  const gate = new PreSendGate(history, {
    runtimeContext: { ephemerals, workspaceRoot: '/w' },
    runtimeState: { model: MODEL },
  });
  try {
    for (const entry of entries) history.add(entry);
    await gate.ensureDensityOptimized();
    await history.waitForTokenUpdates();
    return { total: history.getTotalTokens(), sent: history.getCuratedForProvider(), ms: ms() };
  } catch (error) {
    return { error: (error as Error).message, ms: ms() };
  } finally {
    await history.dispose();
  }
}

export async function prove([entries = '1000000', megabytes = '50']: readonly string[]): Promise<boolean> {
  const pool = new ThreadPool({ threads: 1, minBytes: 0 });
  let failures = 0;
  for (const [name, make] of Object.entries(cases(Number(entries), Number(megabytes)))) {
    const made = make();
    const inline = await outcomeOf('inline', made, pool);
    const offloaded = await outcomeOf('offloaded', made, pool);
    const { ms: inlineMs, ...one } = inline;
    const { ms: offloadedMs, ...other } = offloaded;
    const isEqual = isDeepStrictEqual(one, other);
    if (!isEqual) failures++;
    const result = one.error ?? `${one.total} tokens, ${made.length - (one.sent?.length ?? 0)} entries removed`;
    console.log(`${name}: ${isEqual ? 'equal' : `DIFFERENT: ${other.error ?? other.total}`}; ${result}`);
    console.log(`  ${ENGINES.map((engine, index) => `${engine} ${[inlineMs, offloadedMs][index]} ms`).join(', ')}`);
  }
  if ('polluted' in {}) failures++;
  await pool.close();
  return failures === 0;
}
