import { claudeCode } from '../src/content/vocabularies/claude-code.ts';
import type { Pruner } from '../src/live/contract.ts';
import { createPruner } from '../src/live/pruner.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { serve } from './child.ts';
import { seededRandom } from './random.ts';
import { median, type Row, rowOf } from './row.ts';
import { memoryOfThread } from './thread-memory.ts';

const TURNS = 40;
const READ_LINES = 120;

/** A conversation of reads in the form of the Messages API, which grows by one read a turn. */
export class GrowingConversation {
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #lines: number;
  readonly #files: number;
  #turns = 0;
  #list = JSON.stringify({ role: 'user', content: 'start' });

  constructor({ seed = 1, lines = READ_LINES, files = 60 } = {}) {
    this.#random = seededRandom(seed);
    this.#lines = lines;
    this.#files = files;
  }

  get characters(): number {
    return this.#list.length;
  }

  grow(): void {
    const id = `t${this.#turns++}`;
    const content = Array.from(
      { length: this.#lines },
      (_, at) => `${at + 1}\tconst value${at} = ${this.#random.next()};`,
    ).join('\n');
    const input = { file_path: `/f${this.#turns % this.#files}.ts` };
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ];
    this.#list += messages.map((message) => `,${JSON.stringify(message)}`).join('');
  }

  body(): Buffer {
    return Buffer.from(`{"model":"claude-sonnet-4-5","tools":[{}],"messages":[${this.#list}]}`);
  }
}

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

async function prunedMs(pruner: Pruner, body: Uint8Array, conversation?: string): Promise<number> {
  const before = process.cpuUsage();
  const { report } = await pruner.prune({ body, ...(conversation !== undefined && { conversation }) });
  const ms = cpuMs(before);
  if (report.untouched !== undefined) throw new Error(`Expected a request that is looked at, got ${report.untouched}.`);
  return ms;
}

/** First sight by a new process, and ordinary turns after it. */
async function turns({ tokens }: { readonly tokens: number }): Promise<Row[]> {
  const conversation = new GrowingConversation();
  while (conversation.characters < tokens * 4) conversation.grow();
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode });
  const first = conversation.body();
  const busyMs = await longestBusyMs(() => pruner.prune({ body: first }));
  const turnsMs: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    conversation.grow();
    turnsMs.push(await prunedMs(pruner, conversation.body()));
  }
  const name = `live.${tokens / 1000}k`;
  return [rowOf(`${name}.turn-cpu`, 'ms', turnsMs), rowOf(`${name}.first-busy-max`, 'ms', [busyMs])];
}

const LONG_TURNS = 3000;
const MEASURED_TURNS = 100;
const BATCH_TURNS = 20;
/** About 250 tokens a turn. */
const LONG_READ_LINES = 25;

/** What turns take, and what comparing a body with the last one takes; in every other turn each, so that neither finds it in a cache. */
class MeasuredTurns {
  readonly #prunedMs: number[] = [];
  readonly #comparedMs: number[] = [];

  /** The bodies are made, and their garbage is collected, before. */
  async measure(pruner: Pruner, conversation: GrowingConversation): Promise<void> {
    let last: Buffer | undefined;
    const bodies = Array.from({ length: BATCH_TURNS }, () => {
      conversation.grow();
      return conversation.body();
    });
    globalThis.gc?.();
    for (const [turn, body] of bodies.entries()) {
      const before = process.cpuUsage();
      if (turn % 2 === 1) last?.compare(body, 0, last.length - 2, 0, last.length - 2);
      const comparedMs = cpuMs(before);
      const ms = await prunedMs(pruner, body);
      if (turn % 2 === 1) this.#comparedMs.push(comparedMs);
      else this.#prunedMs.push(ms);
      last = body;
    }
  }

  /** Without the comparison. */
  get ownMs(): number {
    return median(this.#prunedMs) - median(this.#comparedMs);
  }
}

/** Turns of one long session, each without what comparing its bytes with those of the last request takes. */
async function longSession({ files }: { readonly files: number }): Promise<Row[]> {
  const conversation = new GrowingConversation({ lines: LONG_READ_LINES, files });
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode });
  const early = new MeasuredTurns();
  const late = new MeasuredTurns();
  for (let turn = 1; turn <= LONG_TURNS; turn++) {
    const isEarly = turn > 10 && turn <= 10 + MEASURED_TURNS;
    if (isEarly || turn > LONG_TURNS - MEASURED_TURNS) {
      await (isEarly ? early : late).measure(pruner, conversation);
      turn += BATCH_TURNS - 1;
    } else {
      conversation.grow();
      await prunedMs(pruner, conversation.body());
    }
  }
  const name = `live.long.${files}-files`;
  return [
    rowOf(`${name}.turn-10`, 'ms', [early.ownMs]),
    rowOf(`${name}.turn-3000`, 'ms', [late.ownMs]),
    rowOf(`${name}.growth`, 'ratio', [late.ownMs / early.ownMs]),
  ];
}

const CONVERSATIONS = 100;
const TOKENS_EACH = 200_000;

/** What the pruner keeps of many conversations, beside the last body of each, which it also keeps. */
async function memory(): Promise<Row[]> {
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode });
  const before = await memoryOfThread();
  let bodies = 0;
  for (let seed = 1; seed <= CONVERSATIONS; seed++) {
    const conversation = new GrowingConversation({ seed });
    while (conversation.characters < TOKENS_EACH * 4) conversation.grow();
    await prunedMs(pruner, conversation.body(), `${seed}`);
    conversation.grow();
    const body = conversation.body();
    await prunedMs(pruner, body, `${seed}`);
    bodies += body.length;
  }
  const kept = (await memoryOfThread()) - before;
  // The pruner lives until here.
  await prunedMs(pruner, new GrowingConversation().body(), 'last');
  return [rowOf('live.memory.100', 'ratio', [kept / bodies])];
}

const LARGE_BYTES = 4_000_000;
const LARGE_CONVERSATIONS = 400;

/** What the pruner keeps after 400 large requests, each of a new conversation, divided by what it kept after half of them. */
async function manyLarge(): Promise<Row[]> {
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode });
  const before = await memoryOfThread();
  const conversation = new GrowingConversation();
  while (conversation.characters < LARGE_BYTES) conversation.grow();
  const text = conversation.body().toString();
  let half = 0;
  for (let at = 1; at <= LARGE_CONVERSATIONS; at++) {
    await prunedMs(pruner, Buffer.from(text.replace('start', `start ${at}`)));
    if (at === LARGE_CONVERSATIONS / 2) half = (await memoryOfThread()) - before;
  }
  const kept = (await memoryOfThread()) - before;
  // The pruner lives until here.
  await prunedMs(pruner, new GrowingConversation().body(), 'last');
  return [rowOf('live.memory.400-large', 'ratio', [kept / half])];
}

serve<{ tokens: number; files: number }>(import.meta.filename, { turns, longSession, memory, manyLarge });
