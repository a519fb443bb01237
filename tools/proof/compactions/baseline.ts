import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Body, LiveRequest, Pruned, Pruner, PrunerOptions } from '../../../src/live/contract.ts';

export type CreatePruner = (options: PrunerOptions) => Pick<Pruner, 'prune' | 'observe'>;

/**
 * The pruners of another build, by its public entry. Builds without `withoutNew` meant that the agent's own request is sent
 * after a 400: then it does so here.
 */
export async function baselinePruners(folder: string): Promise<CreatePruner> {
  const entry = pathToFileURL(path.resolve(folder, 'dist/live.js')).href;
  const { createPruner: create } = (await import(entry)) as { createPruner: CreatePruner };
  return (options) => {
    const pruner = create(options);
    const prune = async <Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>> => {
      const pruned = await pruner.prune(request);
      const { body } = request;
      return pruned.body === body ? pruned : { withoutNew: () => ({ ...pruned, body }), ...pruned };
    };
    return { prune, observe: (report, answer) => pruner.observe(report, answer) };
  };
}
