/**
 * The functions of this package that one added message runs in a history of the offloaded engine, on both threads. They
 * are counted by V8: each function with its own body counts once, whatever its size.
 *
 * `npm run proof -- walk [folder]`: of the unbundled build in `folder`, which may be an older one; this one when absent.
 */
import { pathToFileURL } from 'node:url';
import { BroadcastChannel, setEnvironmentData } from 'node:worker_threads';
import type { IContent } from '../../src/content/content.ts';
import type * as Api from '../../src/index.ts';
import { type CalledFunctions, Coverage } from './walk/coverage.ts';

const MODEL = 'gpt-4o';
const ENTRIES = 2_000;
const WARM_TURNS = 5;
const SENTENCE = 'This is a sentence of a long talk.';

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });

function called(id: string, name: string, parameters: Record<string, unknown>, result: string): [IContent, IContent] {
  const call: IContent = { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters }] };
  const answer: IContent = { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: name, result }] };
  return [call, answer];
}
const readFile = (id: string): [IContent, IContent] =>
  called(`read-${id}`, 'read_file', { file_path: `${id}.ts` }, 'const one = 1;\n'.repeat(40));
const writeFile = (id: string): [IContent, IContent] =>
  called(`write-${id}`, 'write_file', { file_path: `${id}.ts`, content: 'const one = 1;\n' }, 'Written.');

async function calledOnThread(): Promise<CalledFunctions> {
  const channel = new BroadcastChannel('walk');
  const called = await new Promise<CalledFunctions>((resolve) => {
    channel.onmessage = (event) => resolve((event as MessageEvent).data as CalledFunctions);
    channel.postMessage('take');
  });
  channel.close();
  return called;
}

function print(title: string, main: CalledFunctions, thread: CalledFunctions): void {
  const files = [...new Set([...Object.keys(main), ...Object.keys(thread)])].sort();
  const sum = (all: CalledFunctions): number => Object.values(all).reduce((total, names) => total + names.length, 0);
  console.log(
    `${title}: ${sum(main) + sum(thread)} functions, ${sum(thread)} of them on the thread, in ${files.length} files`,
  );
  for (const file of files) {
    const names = [main[file]?.join(', '), thread[file] && `on the thread ${thread[file].join(', ')}`];
    console.log(`  ${file}: ${names.filter(Boolean).join('; ')}`);
  }
}

export async function prove([path]: readonly string[]): Promise<boolean> {
  const folder = path === undefined ? new URL('../../', import.meta.url).href : `${pathToFileURL(path).href}/`;
  const api = (await import(`${folder}src/index.js`)) as typeof Api;
  setEnvironmentData('walk', folder);
  const pool = new api.ThreadPool({
    workerFile: new URL('./walk/thread.js', import.meta.url),
    threads: 1,
    minBytes: 0,
  });
  const history = api.createHistoryService({ engine: 'offloaded', model: MODEL, pool });
  const faults: Error[] = [];
  history.on('engineDegraded', ({ reason }) => faults.push(reason));
  const gate = new api.PreSendGate(history, {
    runtimeContext: { ephemerals: api.createEphemerals([], { model: MODEL }), workspaceRoot: '/' },
    runtimeState: { model: MODEL },
  });
  const coverage = new Coverage();
  const walk = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    await coverage.take();
    await calledOnThread();
    await work();
    print(title, await coverage.take(), await calledOnThread());
  };
  const add = async (entry: IContent): Promise<void> => {
    history.add(entry);
    await history.waitForTokenUpdates();
  };
  const send = (): Promise<unknown> => gate.ensureCompressionBeforeSend('p');
  await coverage.start(folder);
  for (let at = 0; at < ENTRIES; at++) history.add(said(SENTENCE));
  await history.waitForTokenUpdates();
  for (let turn = 0; turn < WARM_TURNS; turn++) {
    for (const entry of [...readFile(`warm-${turn}`), ...writeFile(`warm-${turn}`)]) await add(entry);
    await send();
  }
  await add(said(SENTENCE));
  await walk('A message of the user', () => add(said(SENTENCE)));
  for (const entry of readFile('last')) await add(entry);
  const [call, answer] = writeFile('last');
  await add(call);
  await walk('A result', () => add(answer));
  const before = history.getTotalTokens();
  await walk('The gate, which applies edits', send);
  if (history.getTotalTokens() >= before)
    faults.push(new Error('Expected the gate to remove a read, and it removed nothing.'));
  for (const fault of faults) console.log(fault.message);
  history.dispose();
  await pool.close();
  return faults.length === 0;
}
