import { isDeepStrictEqual } from 'node:util';
import type { PruneReport } from '../../../src/live/contract.ts';
import { resultTexts, ScriptedProvider } from '../../../test/adapters/scripted-provider.ts';
import type { LoopFacts, SdkLoop } from '../../../test/adapters/sdk-loops.ts';
import type { RecordedStep } from './recorded-steps.ts';

const HOUR_MS = 60 * 60_000;
const LIST_KEYS = ['messages', 'input', 'contents'];

/** What a provider was sent through one adapter, and what was wrong. */
export interface PlayedSteps {
  /** Of each request: the parsed body as one text, and the texts of its results. */
  readonly bodies: readonly string[];
  readonly results: readonly (readonly string[])[];
  readonly removed: number;
  readonly problems: readonly string[];
}

/** The elements of the list in a body, each as one text, without cache marks, whose place moves. */
function elementsOf(body: unknown): string[] {
  const fields = body as Readonly<Record<string, unknown>>;
  const list = LIST_KEYS.map((key) => fields[key]).find(Array.isArray) ?? [];
  const written = (key: string, value: unknown): unknown => {
    if (key === 'cache_control') return undefined;
    // A mark needs a block: some SDKs then write a text as one.
    const [only] = key === 'content' && Array.isArray(value) && value.length === 1 ? value : [];
    return only?.type === 'text' ? only.text : value;
  };
  return list.map((element: unknown) => JSON.stringify(element, written));
}

/** A recorded session as the loop of an agent: the model makes its calls, the tools return what was recorded. The cache is cold in the middle. */
export async function playSteps(
  start: (facts: LoopFacts) => SdkLoop,
  steps: readonly RecordedStep[],
  workspaceRoot: string,
): Promise<PlayedSteps> {
  const provider = new ScriptedProvider(steps);
  const reports: PruneReport[] = [];
  const problems: string[] = [];
  try {
    const loop = start({
      base: await provider.start(),
      session: 'recorded',
      options: { workspaceRoot, now: () => provider.nowMs, onReport: (report) => reports.push(report) },
      names: [...new Set(steps.map(({ name }) => name))],
      resultOf: (call) => steps[call]?.result ?? '',
    });
    for (let step = 0; step <= steps.length; step++) {
      provider.nowMs += step === steps.length >> 1 ? 25 * HOUR_MS : 1_000;
      const before = structuredClone(loop.record);
      await loop.step();
      if (!isDeepStrictEqual(loop.record.slice(0, before.length), before))
        problems.push(`step ${step} changed the record`);
    }
  } catch (error) {
    problems.push(String(error));
  } finally {
    await provider.stop();
  }
  problems.push(...provider.refusals);
  const { requests } = provider;
  if (requests.length !== steps.length + 1) problems.push(`${requests.length} requests for ${steps.length} steps`);
  let last: readonly string[] = [];
  for (const [at, { body }] of requests.entries()) {
    const report = reports[at];
    if (report?.untouched !== undefined) problems.push(`request ${at}: ${report.untouched}`);
    const elements = elementsOf(body);
    if (report?.isEpoch === false && !last.every((element, index) => element === elements[index]))
      problems.push(`request ${at} changed its prefix`);
    last = elements;
  }
  const results = requests.map(({ api, body }) => resultTexts(api, body));
  const removed = results.at(-1)?.filter((text) => text.startsWith('[density: ')).length ?? 0;
  return { bodies: requests.map(({ body }) => JSON.stringify(body)), results, removed, problems };
}
