import { Session } from 'node:inspector/promises';

/** Names of functions in the order of the source, by file; `(arrow)` for one without a name. */
export type CalledFunctions = Record<string, string[]>;

/** Records which functions of the package run on this thread. */
export class Coverage {
  readonly #session = new Session();
  #folder = '';

  /** `folder` is the address of an unbundled build of the package. */
  async start(folder: string): Promise<void> {
    this.#folder = folder;
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** What ran since the last call. */
  async take(): Promise<CalledFunctions> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const called: CalledFunctions = {};
    for (const { url, functions } of result) {
      const file = url.startsWith(this.#folder) ? url.slice(this.#folder.length) : '';
      if (!/^(?:src|workers)\//.test(file)) continue;
      const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      if (ran.length > 0) called[file] = ran.map(({ functionName }) => functionName || '(arrow)');
    }
    return called;
  }
}
