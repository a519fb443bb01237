import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

interface Question {
  readonly method: string;
  readonly input: unknown;
}

type Reply = { readonly answer: unknown } | { readonly failure: string };

/** A bench file in its own process, so that other measurements do not disturb it. */
export class Child {
  readonly #process: ChildProcess;

  /** `file` is a bench file that calls `serve`. */
  constructor(file: string) {
    this.#process = fork(path.join(import.meta.dirname, `${file}.js`), {
      execArgv: ['--expose-gc', '--max-old-space-size=8192'],
      serialization: 'advanced',
    });
  }

  /** The answer of the method with that name; rejects with the method's error. One question at a time. */
  ask<Answer>(method: string, input?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const child = this.#process;
      const leave = (code: number | null): void => reject(new Error(`the child ended with code ${code}`));
      child.once('exit', leave);
      child.once('message', (reply: Reply) => {
        child.off('exit', leave);
        if ('failure' in reply) reject(new Error(reply.failure));
        else resolve(reply.answer as Answer);
      });
      child.send({ method, input } satisfies Question);
    });
  }

  /** Ends the process, and resolves when it has ended. */
  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
  }
}

/** The answer of a new process to one question. */
export async function askChild<Answer>(file: string, method: string, input?: unknown): Promise<Answer> {
  const child = new Child(file);
  try {
    return await child.ask<Answer>(method, input);
  } finally {
    await child.end();
  }
}

/** The child's end: answers with `methods` if this process was started with `file`. */
export function serve<Input>(
  file: string,
  methods: Readonly<Record<string, (input: Input) => Promise<unknown>>>,
): void {
  if (process.argv[1] !== file) return;
  process.on('message', async ({ method, input }: Question) => {
    let reply: Reply;
    try {
      reply = { answer: await methods[method]!(input as Input) };
    } catch (error) {
      reply = { failure: `${method}: ${error instanceof Error ? error.stack : String(error)}` };
    }
    process.send!(reply);
  });
}
