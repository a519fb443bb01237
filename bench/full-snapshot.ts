import { Worker } from 'node:worker_threads';
import type { IContent } from '../src/content/content.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { serve } from './child.ts';
import { checkTotal, gatedHistory, ownSession } from './gated-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';

const ROUNDS = 20;

/** One sample per turn: the time that the main thread is blocked, and what is sent. */
export interface SnapshotSamples {
  readonly fullMs: number[];
  readonly fullBytes: number[];
  readonly deltaMs: number[];
  readonly deltaBytes: number[];
}

/** A thread that takes a history and answers how many entries it got. */
const TAKER = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', (entries) => parentPort.postMessage(entries.length));`;

/** The same turns with the whole history sent in each, as in naive offloading, and with only the changes. */
async function compare({ tokens }: { readonly tokens: number }): Promise<SnapshotSamples> {
  const session = ownSession(tokens);
  const turns = new OrdinaryTurns();
  const samples: SnapshotSamples = { fullMs: [], fullBytes: [], deltaMs: [], deltaBytes: [] };
  const taker = new Worker(TAKER, { eval: true, execArgv: [] });
  const sent: IContent[] = [...session.entries];
  const { history, gate } = gatedHistory('offloaded', session);
  await history.addInSlices(session.entries);
  await gate.ensureCompressionBeforeSend('resume');
  for (let round = 0; round < ROUNDS; round++) {
    const entries = turns.next();
    sent.push(...entries);
    samples.fullMs.push(
      await longestBusyMs(async () => {
        const received = new Promise<number>((resolve) => taker.once('message', resolve));
        taker.postMessage(sent);
        if ((await received) !== sent.length) throw new Error('The snapshot lost entries.');
      }),
    );
    samples.fullBytes.push(Buffer.byteLength(JSON.stringify(sent)));
    const sentBefore = history.engine.stats().sentBytes;
    samples.deltaMs.push(
      await longestBusyMs(async () => {
        for (const entry of entries) history.add(entry);
        await gate.ensureCompressionBeforeSend('turn');
      }),
    );
    samples.deltaBytes.push(history.engine.stats().sentBytes - sentBefore);
  }
  checkTotal(history);
  history.dispose();
  await taker.terminate();
  return samples;
}

serve<never>(import.meta.filename, { compare });
