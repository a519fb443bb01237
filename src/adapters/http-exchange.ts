import type { LiveApi, PruneReport, Pruner, PrunerOptions } from '../live/contract.ts';
import { apiOfPath } from '../live/dialects.ts';
import { createPruner } from '../live/pruner.ts';

/** What may be done to a request before it is sent at the latest; then the original is sent. */
const DEADLINE_MS = 2_000;

export interface AdapterOptions extends Omit<PrunerOptions, 'api'> {
  /** Called with what was done to each request that was looked at. */
  readonly onReport?: (report: PruneReport) => void;
}

/** A request of an SDK, as it is about to be sent. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: ConstructorParameters<typeof Headers>[0];
  readonly body: unknown;
  readonly signal: AbortSignal | null | undefined;
}

/** What is sent instead of a request's own body and headers. */
export interface ChangedParts {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

/** Sends a request: with other parts, or as its SDK wrote it. */
export type Send = (changed?: ChangedParts) => Promise<Response>;

/**
 * Sends each request pruned, if it asks one of the four APIs and if that is understood within two seconds, else as it is.
 * A changed request that is refused (400) is sent once more as it was, and that answer is returned. Throws what `send` throws.
 */
export function httpExchange({
  onReport,
  ...options
}: AdapterOptions): (request: HttpRequest, send: Send) => Promise<Response> {
  const pruners = new Map<string, Pruner>();
  let hasWarned = false;
  const prunerOf = (api: LiveApi, origin: string): Pruner => {
    const key = `${api} ${origin}`;
    const known = pruners.get(key) ?? createPruner({ api, ...options });
    pruners.set(key, known);
    return known;
  };
  const changeOf = async ({ url, headers: given, body }: HttpRequest) => {
    const headers = new Headers(given);
    const { pathname, origin } = new URL(url);
    const asked = apiOfPath(pathname);
    const bytes = bytesOf(body);
    if (asked === undefined || bytes === undefined || headers.has('content-encoding')) return undefined;
    const pruner = prunerOf(asked.api, origin);
    const { model } = asked;
    const named = Object.fromEntries(headers);
    const pruned = await pruner.prune({ body: bytes, headers: named, ...(model !== undefined && { model }) });
    const { report } = pruned;
    if (report.untouched === 'history-elsewhere' && !hasWarned) {
      hasWarned = true;
      process.emitWarning(`${pathname}: the server keeps this history, so it is not pruned.`, 'HighDensityWarning');
    }
    onReport?.(report);
    if (pruned.body === bytes) return undefined;
    headers.delete('content-length');
    const text = typeof body === 'string' ? new TextDecoder().decode(pruned.body) : new Uint8Array(pruned.body);
    const refused = async (): Promise<void> => {
      if (!asked.isCount) await pruner.observe(report, { status: 400 });
    };
    return { parts: { body: text, headers }, refused };
  };
  return async (request, send) => {
    if (request.method?.toUpperCase() !== 'POST' || request.signal?.aborted) return send();
    const changed = await inTime(changeOf(request), request.signal);
    if (changed === undefined) return send();
    const answer = await send(changed.parts);
    if (answer.status !== 400) return answer;
    await Promise.allSettled([changed.refused(), answer.body?.cancel()]);
    return send();
  };
}

/** The bytes of a body that can be read without taking it from the one who sends it. */
function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return body instanceof Uint8Array ? body : undefined;
}

/** What the work returns; undefined if it fails, is late, or its request is aborted. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T | undefined> {
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    const giveUp = (): void => resolve(undefined);
    const timer = setTimeout(giveUp, DEADLINE_MS);
    signal?.addEventListener('abort', giveUp);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
  });
  try {
    return await Promise.race([work, stopped]);
  } catch {
    return undefined;
  } finally {
    stop();
  }
}
