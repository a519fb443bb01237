import { performance } from 'node:perf_hooks';
import { createUserMessage, type IContent, type ToolCallBlock } from '../src/content/content.ts';
import { llxprt } from '../src/content/vocabularies/llxprt.ts';
import type { DensityConfig, DensityResult } from '../src/strategies/contract.ts';
import { HighDensityStrategy } from '../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../src/strategies/high-density/optimize-plainly.ts';
import { seededRandom } from './random.ts';
import { type Row, rowOf } from './row.ts';

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 15;
const CONFIG: DensityConfig = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 3,
  workspaceRoot: '/repo/project',
};

/** The known content of a bench history, counted while it is written. */
interface Written {
  readonly history: IContent[];
  readonly staleReads: number;
  readonly staleInclusions: number;
}

/**
 * A session of `entries` entries: a prompt every thirty or so, some with an included file; rounds of reads, searches,
 * edits (one in ten fails) and test runs over a pool of files that grows with the session.
 */
function session(entries: number): Written {
  const { next: random, integer: pick } = seededRandom(entries);
  const fileCount = Math.max(20, Math.floor(entries / 50));
  const history: IContent[] = [];
  const openReads = new Map<string, number>();
  const included = new Set<string>();
  let staleReads = 0;
  let staleInclusions = 0;
  const exchange = (name: string, parameters: unknown, result: string, error?: string): void => {
    const call: ToolCallBlock = { type: 'tool_call', id: `call_${history.length}`, name, parameters };
    history.push({ speaker: 'ai', blocks: [{ type: 'text', text: 'Next.' }, call] });
    const response = {
      type: 'tool_response',
      callId: call.id,
      toolName: name,
      result,
      ...(error && { error }),
    } as const;
    history.push({ speaker: 'tool', blocks: [response] });
  };
  while (history.length < entries) {
    const file = `src/room${pick(20)}/file${pick(fileCount)}.ts`;
    const roll = random();
    if (roll < 0.03) {
      const includes = random() < 0.5;
      if (includes) staleInclusions += included.has(file) ? 1 : 0;
      if (includes) included.add(file);
      const body = includes ? `\n\n--- ${file} ---\n${'const a = 1;\n'.repeat(20)}--- End of content ---\n` : '';
      history.push(createUserMessage(`Please go on with step ${history.length}.${body}`));
    } else if (roll < 0.4) {
      exchange('read_file', { absolute_path: `/repo/project/${file}` }, 'export const value = compute();\n'.repeat(40));
      openReads.set(file, (openReads.get(file) ?? 0) + 1);
    } else if (roll < 0.6)
      exchange('search_file_content', { pattern: `value${pick(99)}` }, 'src/a.ts:1: value\n'.repeat(9));
    else if (roll < 0.85) {
      const fails = random() < 0.1;
      exchange('replace', { file_path: file, old_string: 'a', new_string: 'b' }, 'ok', fails ? 'not found' : undefined);
      if (fails) continue;
      staleReads += openReads.get(file) ?? 0;
      openReads.delete(file);
    } else exchange('run_shell_command', { command: 'npm test' }, 'PASS\n'.repeat(60));
  }
  return { history, staleReads, staleInclusions };
}

/** One exchange after a session: the entries of a turn. */
const TURN: readonly IContent[] = [
  {
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id: 'next', name: 'run_shell_command', parameters: { command: 'ls' } }],
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'next', toolName: 'run_shell_command', result: 'a.ts' }],
  },
];

type Optimize = (history: readonly IContent[]) => DensityResult;

/** The optimisers, new for each session: the incremental one that strategies use, and the plain rules. */
const WAYS: Readonly<Record<string, () => Optimize>> = {
  '': () => {
    const strategy = new HighDensityStrategy();
    return (history) => strategy.optimize(history, CONFIG);
  },
  'plain.': () => (history) => optimizePlainly(history, CONFIG, { vocabulary: llxprt }),
};

function check({ size, staleReads, staleInclusions }: Written & { size: number }, { metadata }: DensityResult): void {
  if (metadata.readWritePairsPruned !== staleReads || metadata.fileDeduplicationsPruned !== staleInclusions) {
    throw new Error(
      `Expected ${staleReads} stale reads and ${staleInclusions} stale inclusions in ${size} entries, got ${JSON.stringify(metadata)}.`,
    );
  }
  if (metadata.recencyPruned === 0) throw new Error(`Expected old results to be pruned in ${size} entries.`);
}

/** The session after the edits of the result. */
function applied(history: readonly IContent[], { removals, replacements }: DensityResult): IContent[] {
  const removed = new Set(removals);
  return history.map((entry, at) => replacements.get(at) ?? entry).filter((_, at) => !removed.has(at));
}

/**
 * Time of one `optimize` over new sessions of growing size, and of the next one, a turn later, after the
 * result was applied (`turn.`); throws when a result is not the known one.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    const written = { size, ...session(size) };
    const samples = new Map<string, number[]>();
    const timed = (id: string, optimize: Optimize, history: readonly IContent[]): DensityResult => {
      const startedMs = performance.now();
      const result = optimize(history);
      samples.set(id, [...(samples.get(id) ?? []), performance.now() - startedMs]);
      return result;
    };
    for (let round = -2; round < ROUNDS; round++) {
      if (round === 0) samples.clear();
      for (const [way, create] of Object.entries(WAYS)) {
        const optimize = create();
        const result = timed(`optimize.${way}${size}`, optimize, written.history);
        check(written, result);
        const pruned = applied(written.history, result);
        optimize(pruned);
        timed(`optimize.${way}turn.${size}`, optimize, [...pruned, ...TURN]);
      }
    }
    for (const [id, own] of samples) rows.push(rowOf(id, 'ms', own));
  }
  return rows;
}
