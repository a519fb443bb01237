import { afterAll, beforeAll } from 'vitest';
import { Loopback, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';

/** Variables for the model; no command may show or write them. */
export const KEY = 'key-of-these-tests-0123456789';

/** A model that answers every request with a snapshot, while the tests of the file run. */
export class SummaryModel {
  readonly #server = new Loopback();
  #url = '';

  constructor() {
    beforeAll(async () => {
      this.#url = await this.#server.start();
      const texts = ['<state_snapshot>\n<overall_goal>Go on.</overall_goal>\n</state_snapshot>'];
      this.#server.willAnswer(stream(WIRES['anthropic']!.events({ texts, ending: 'stop' })));
    });
    afterAll(() => this.#server.stop());
  }

  /** Options that make a command ask this model; set when tests run. */
  get options(): readonly string[] {
    return ['--provider', 'anthropic', '--base-url', this.#url];
  }

  /** The same for `optimize`. */
  get asked(): readonly string[] {
    return ['--model', 'anthropic', '--base-url', this.#url];
  }

  get url(): string {
    return this.#url;
  }

  get requests(): number {
    return this.#server.requests.length;
  }
}

/** Calls `run` with the options of a model that refuses and repeats the key. */
export async function withRefusingModel<Result>(
  run: (model: { readonly options: readonly string[]; readonly asked: readonly string[] }) => Promise<Result>,
): Promise<Result> {
  const refusing = new Loopback();
  const url = await refusing.start();
  refusing.willAnswer((response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key ${KEY}"}}`);
  });
  try {
    return await run({
      options: ['--provider', 'anthropic', '--base-url', url],
      asked: ['--model', 'anthropic', '--base-url', url],
    });
  } finally {
    await refusing.stop();
  }
}
