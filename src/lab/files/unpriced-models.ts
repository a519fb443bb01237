import { readOr } from '../../content/foreign-value.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { priceOf } from '../../economics/prices.ts';
import type { Session } from '../../formats/contract.ts';
import { readSession } from '../../sessions/read-session.ts';

/** The models that a session names for its answers, or for all of it. */
function modelsOf({ events, model }: Session): string[] {
  const named = events.flatMap((event) =>
    event.kind === 'replace' || event.content.speaker !== 'ai' ? [] : (event.content.metadata?.model ?? model ?? []),
  );
  return [...new Set(named)];
}

/** Models without a price, each with the number of sessions that it answered in, most first. A file that is no session is left out. */
export function unpricedModels(paths: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const path of paths) {
    const models = readOr<string[], string[]>(() => modelsOf(readSession(fileBytes(path)).session), []);
    for (const model of models) if (priceOf(model).match === 'unknown') found.set(model, (found.get(model) ?? 0) + 1);
  }
  return new Map([...found].sort(([, one], [, other]) => other - one));
}
