/** CPU time of one model call of LangChain: what `prunedModelCall` adds, and what LangChain's own `ClearToolUsesEdit` does. */
import type { BaseMessage } from '@langchain/core/messages';
import { ClearToolUsesEdit, countTokensApproximately } from 'langchain';
import { prunedModelCall } from '../src/adapters/langchain.ts';
import { HOOKS } from '../test/adapters/hooks.ts';
import { type Limits, printLimits } from './limits.ts';
import { type Row, rowOf } from './row.ts';

const MESSAGES = [400, 800, 1_600, 3_200];
const CALLS = 15;

const LIMITS: Limits = { 'adapters.langchain.3200.call-cpu': ['<=', 50] };

/** A conversation of reads, writes and commands. */
function conversation(messages: number): BaseMessage[] {
  const hook = HOOKS['langchain, wrapModelCall']!;
  const list = [hook.first('start')];
  for (let turn = 0; list.length < messages; turn++) {
    const [name, path] = turn % 5 === 4 ? ['write', '/p/0.ts'] : ['read', `/p/${turn % 40}.ts`];
    const result = name === 'write' ? 'ok' : `line of ${turn} in ${path}\n`.repeat(40);
    list.push(...hook.elements({ id: `c${turn}`, name, input: { path, content: 'x' }, result }));
  }
  return list as BaseMessage[];
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuMs(process.cpuUsage(before));
}

export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const messages of MESSAGES) {
    const call = prunedModelCall();
    const list = conversation(messages + 2 * CALLS);
    const runtime = { configurable: { thread_id: 'one' } };
    const send = (end: number) => {
      const request = { messages: list.slice(0, end), model: { model: 'gpt-5' }, tools: [{ name: 'read' }], runtime };
      return call(request, async (one: typeof request) => one.messages.length);
    };
    // The first sight of the list is no usual call.
    await send(messages);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let turn = 1; turn <= CALLS; turn++) {
      ours.push(await cpuOf(() => send(messages + 2 * turn)));
      if (turn > 3) continue;
      const edit = new ClearToolUsesEdit({ trigger: { tokens: 1_000 }, keep: { messages: 3 } });
      const copy = conversation(messages);
      theirs.push(
        await cpuOf(async () =>
          edit.apply({ messages: copy, countTokens: countTokensApproximately, model: {} as never }),
        ),
      );
    }
    rows.push(rowOf(`adapters.langchain.${messages}.call-cpu`, 'ms', ours));
    rows.push(rowOf(`adapters.langchain.${messages}.peer-cpu`, 'ms', theirs));
  }
  printLimits(rows, LIMITS);
  return rows;
}
