import { resultOf as scriptedResult } from './scripted-provider.ts';
import type { LoopFacts, SdkLoop } from './sdk-loops.ts';

/** What the tools of an agent wait for: each returns its result when the next step begins. */
export type RunTool = () => Promise<string>;

/** An agent that runs to its end, one step at a time: a model call, and the tool that it asked for begins. */
export function gatedRun(
  { resultOf = scriptedResult }: LoopFacts,
  run: (runTool: RunTool) => Promise<unknown>,
  recordOf: () => Promise<readonly unknown[]> | readonly unknown[],
): SdkLoop {
  let calls = 0;
  let running: Promise<unknown> | undefined;
  let release = (): void => {};
  let arrived = (): void => {};
  const runTool: RunTool = async () => {
    const text = resultOf(calls++);
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    arrived();
    await released;
    return text;
  };
  const loop = {
    record: [] as readonly unknown[],
    async step() {
      const next = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      if (running === undefined) running = run(runTool);
      else release();
      await Promise.race([next, running]);
      loop.record = structuredClone(await recordOf());
    },
  };
  return loop;
}
