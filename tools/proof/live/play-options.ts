import { parseArgs } from 'node:util';
import { Outcomes } from './outcomes.ts';

/** What to play, and the outcomes that are known: of `[--part 1/4] [--outcomes file] [part of a path …] [part of a model …]`. */
export function playOptions<One extends { readonly play: string }>(parameters: readonly string[]) {
  const { values, positionals: names } = parseArgs({
    args: [...parameters],
    options: { part: { type: 'string', default: '1/1' }, outcomes: { type: 'string' } },
    allowPositionals: true,
  });
  const outcomes = new Outcomes<One>(values.outcomes);
  return { outcomes, chosen: { part: values.part, names, isKnown: (play: string) => outcomes.all().has(play) } };
}
