import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiOfPath } from '../formats/api-path.ts';
import type { Mount } from './contract.ts';
import { Exchange, type ExchangeOptions, type KeptRequestOptions } from './exchange.ts';
import { sendProviderError, type TurnedAway } from './provider-error.ts';
import { routeOf } from './routes.ts';

/** Somebody who may send requests, with what is done to them. */
export interface Visitor {
  /** Without any secret; starts with `/`. */
  readonly path: string;
  readonly options: KeptRequestOptions;
  /** Called once the answer has ended. */
  readonly left: () => void;
}

/** Decides who gets in. Answers a request itself and returns `undefined` where it is for no provider. Never rejects. */
export type Door = (request: IncomingMessage, response: ServerResponse) => Promise<Visitor | TurnedAway | undefined>;

const NOWHERE: TurnedAway = { kind: 'unknown', message: 'No provider is known for this path.' };

/** Sends a request on if the door lets it in; else its answer is an error in the form of its provider. */
export async function throughDoor(
  door: Door,
  [request, response]: readonly [IncomingMessage, ServerResponse],
  {
    mounts,
    ...surroundings
  }: { readonly mounts: readonly Mount[] } & Pick<ExchangeOptions, 'upstream' | 'looks' | 'room'>,
): Promise<void> {
  const entered = await door(request, response);
  if (entered === undefined) return;
  const route = 'kind' in entered ? undefined : routeOf(request, entered.path, mounts);
  if ('kind' in entered || route === undefined) {
    if ('left' in entered) entered.left();
    const away: TurnedAway = 'kind' in entered ? entered : NOWHERE;
    const [pathname = ''] = (request.url ?? '').split('?');
    return sendProviderError(response, { api: apiOfPath(pathname)?.api, ...away }, { connection: 'close' });
  }
  if (response.closed) return entered.left();
  response.once('close', entered.left);
  await new Exchange(request, response, { route, ...surroundings, ...entered.options }).run();
}
