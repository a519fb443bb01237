import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as product from 'high-density';
import { getCompressionStrategy } from 'high-density/strategies';
import { afterAll, describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import type { Session } from '../../src/formats/contract.ts';
import { detectFormat, formatNamed, SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOf, linesOfText } from '../../src/formats/lines/lines.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { gateOptions, MODEL, stateOf } from '../contracts/engine.ts';
import { SAMPLES } from '../formats/samples.ts';
import { sessionsOfEveryFormat } from '../real-sessions.ts';

const SETTINGS = { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 2 } as const;
const STRATEGIES = ['high-density', 'top-down-truncation'] as const;
/** Gate runs per session: enough for every kind of step, few enough for long sessions. */
const MAX_RUNS = 15;

const pool = new product.ThreadPool({
  workerFile: new URL('../../dist/workers/engine.js', import.meta.url),
  minBytes: 0,
});
afterAll(() => pool.close());

/** The entries of the session itself, so that both histories must contain the same objects. */
const entriesOf = (events: readonly SessionEvent[]): Set<IContent> =>
  new Set(events.flatMap((event) => (event.kind === 'add' ? [event.content] : [...event.contents])));

/** Plays a session into an inline and an offloaded history of the built package, side by side. */
async function play({ events, workspaceRoot = '/' }: Session, settings: EphemeralSettings): Promise<void> {
  const degraded: unknown[] = [];
  const histories = (['inline', 'offloaded'] as const).map((engine) =>
    product.createHistoryService({ engine, pool, model: MODEL }),
  );
  histories[1]!.on('engineDegraded', ({ reason }) => degraded.push(reason));
  const options = gateOptions((name) => getCompressionStrategy(name), { ...SETTINGS, ...settings });
  const runtimeContext = { ...options.runtimeContext, workspaceRoot };
  const gates = histories.map((history) => new product.PreSendGate(history, { ...options, runtimeContext }));
  const every = Math.ceil(events.length / MAX_RUNS);
  const own = entriesOf(events);
  for (const [index, event] of events.entries()) {
    for (const history of histories) {
      if (event.kind === 'add') history.add(event.content);
      else await history.replaceAll(event.contents);
    }
    if (index % every !== 0) continue;
    const [one, other] = await Promise.all(
      gates.map((gate) => gate.ensureCompressionBeforeSend('p').catch((error: Error) => error.message)),
    );
    expect(other).toEqual(one);
    const [here, there] = histories.map(stateOf);
    expect(there).toEqual(here);
    const same = there!.entries.filter((entry, at) => entry === here!.entries[at]);
    expect(same.length).toBe(there!.entries.filter((entry) => own.has(entry)).length);
  }
  expect(degraded).toEqual([]);
  expect(histories[1]!.engine.stats()).toMatchObject({ resyncs: 0 });
  for (const history of histories) history.dispose();
}

describe('with both engines', () => {
  test.each(SESSION_FORMATS.map(({ name }) => name))('a session of %s is the same (law 5)', async (name) => {
    for (const text of SAMPLES[name]!.texts) {
      const session = formatNamed(name).read(linesOfText(text));
      for (const strategy of STRATEGIES) {
        for (const limit of [300, 20_000]) {
          await play(session, { 'context-limit': limit, 'compression.strategy': strategy });
        }
      }
    }
  });

  const files = sessionsOfEveryFormat().map((file) => [path.basename(file), file] as const);
  test.runIf(files.length > 0).each(files)('recorded %s is the same (law 5)', async (_name, file) => {
    const bytes = readFileSync(file);
    const session = detectFormat(bytes.subarray(0, 256 * 1024).toString()).read(linesOf(() => [bytes]));
    for (const strategy of STRATEGIES) {
      await play(session, { 'context-limit': 20_000, 'compression.strategy': strategy });
    }
  });
});
