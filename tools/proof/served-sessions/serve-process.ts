import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TurnView } from '../../../src/fleet/actors/session-replica.ts';
import { killed } from '../../../test/fleet/killed.ts';
import { Relay } from './relay.ts';

const COMMAND = path.resolve(import.meta.dirname, '../../../../dist/density.js');
const TOKEN = 'a token of this proof';

/** `density serve`, with a network of its own between it and Redis. */
export class ServeProcess {
  url = '';
  readonly relay: Relay;
  #relayPort = 0;
  #child: ChildProcess | undefined;

  /** @param redis the server's URL */
  constructor(redis: string) {
    this.relay = new Relay(Number(new URL(redis).port));
  }

  async start(): Promise<void> {
    this.#relayPort ||= await this.relay.start();
    const redis = `redis://127.0.0.1:${this.#relayPort}`;
    const args = ['serve', '--redis', redis, '--model', 'gpt-4.1', '--listen', '127.0.0.1:0'];
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', DENSITY_SERVICE_TOKEN: TOKEN };
    this.#child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    while (!text.includes('Stop with')) text += String((await once(this.#child.stderr!, 'data'))[0]);
    this.#child.stderr!.resume();
    this.url = /http:\S+\d/.exec(text)?.[0] ?? '';
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  kill(): Promise<void> {
    return killed(this.#child);
  }

  async remove(): Promise<void> {
    await this.kill();
    this.relay.close();
  }

  /** Sends a turn with these texts. @throws unless it is answered with 200 within fifteen seconds */
  async post(session: string, turn: string, texts: readonly string[]): Promise<TurnView> {
    const entries = texts.map((text) => ({ speaker: 'human', blocks: [{ type: 'text', text }] }));
    const answer = await fetch(`${this.url}/sessions/${session}/turns`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ turn, entries }),
      signal: AbortSignal.timeout(15_000),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as TurnView;
  }
}
