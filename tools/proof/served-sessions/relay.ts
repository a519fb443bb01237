import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const DRIP_MS = 20;

/**
 * What a relay does with bytes: `pass` them on; `hold` them until it passes again, as a network that is cut and heals; `drop` them,
 * where both ends believe that they are connected until it passes again, and only then are told; `drip` them one by one.
 */
export type Weather = 'pass' | 'hold' | 'drop' | 'drip';

/** A network between a client and a server on this computer, whose weather can be chosen. */
export class Relay {
  #weather: Weather = 'pass';
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    this.#server = createServer((near) => {
      const far = connect(this.#port, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      void this.#carry(near, far);
      void this.#carry(far, near);
    });
  }

  /** The port where it listens. */
  async start(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('Expected an address with a port.');
    return address.port;
  }

  set(weather: Weather): void {
    if (this.#weather === 'drop') for (const socket of this.#sockets) socket.destroy();
    this.#weather = weather;
    this.#changes.emit('change');
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #carry(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from) {
        let bytes = chunk as Buffer;
        while (bytes.length > 0) {
          if (this.#weather === 'hold') await once(this.#changes, 'change');
          else if (this.#weather === 'drop') break;
          else if (this.#weather === 'drip') {
            to.write(bytes.subarray(0, 1));
            bytes = bytes.subarray(1);
            await wait(DRIP_MS);
          } else {
            to.write(bytes);
            break;
          }
        }
      }
    } catch {
      // The connection broke: its other half closes too.
    }
    to.destroy();
  }
}
