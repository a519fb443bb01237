import { BroadcastChannel, getEnvironmentData } from 'node:worker_threads';
import { type CalledFunctions, Coverage } from './coverage.ts';

/** The engine's thread of the build in the folder that the main thread names, with its coverage. */
const folder = String(getEnvironmentData('walk'));
const engine = (await import(`${folder}workers/engine.js`)) as { default: (request: unknown) => unknown };
const coverage = new Coverage();
await coverage.start(folder);
const channel = new BroadcastChannel('walk');
channel.onmessage = async (event) => {
  if ((event as MessageEvent).data !== 'take') return;
  channel.postMessage((await coverage.take()) satisfies CalledFunctions);
};
channel.unref();

export default engine.default;
