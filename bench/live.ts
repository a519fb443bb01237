import { claudeCode } from '../src/content/vocabularies/claude-code.ts';
import { createPruner } from '../src/live/pruner.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { seededRandom } from './random.ts';
import { type Row, rowOf } from './row.ts';

const TURNS = 40;
/** About four characters each. */
const TOKENS = [200_000, 1_000_000];

/** A conversation of reads in the form of the Messages API, which grows by one read a turn. */
class Conversation {
  readonly #messages: object[] = [{ role: 'user', content: 'start' }];
  readonly #random = seededRandom(1);
  characters = 0;

  grow(): void {
    const id = `t${this.#messages.length}`;
    const lines = Array.from({ length: 120 }, (_, at) => `${at + 1}\tconst value${at} = ${this.#random.next()};`);
    const content = lines.join('\n');
    this.characters += content.length;
    const input = { file_path: `/f${this.#messages.length % 60}.ts` };
    this.#messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    );
  }

  body(): Uint8Array {
    return Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', messages: this.#messages, tools: [{}] }));
  }
}

async function measure(tokens: number): Promise<Row[]> {
  const conversation = new Conversation();
  while (conversation.characters < tokens * 4) conversation.grow();
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode });
  const first = conversation.body();
  const busyMs = await longestBusyMs(() => pruner.prune({ body: first }));
  const turns: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    conversation.grow();
    const body = conversation.body();
    const before = process.cpuUsage();
    const { report } = await pruner.prune({ body });
    const { user, system } = process.cpuUsage(before);
    if (report.untouched !== undefined)
      throw new Error(`Expected a request that is looked at, got ${report.untouched}.`);
    turns.push((user + system) / 1000);
  }
  const name = `live.${tokens / 1000}k`;
  return [rowOf(`${name}.turn-cpu`, 'ms', turns), rowOf(`${name}.first-busy-max`, 'ms', [busyMs])];
}

export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const tokens of TOKENS) rows.push(...(await measure(tokens)));
  return rows;
}
