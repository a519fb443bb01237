import type { ContentBlock } from '../../content/content.ts';
import type { CallOf } from '../../content/files/entry-label.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { HighDensityStrategy } from '../../strategies/high-density/high-density.ts';
import type { GivenDensityConfig } from '../../strategies/settings/density-config.ts';
import type { PromptCounter } from '../../tokens/entries/prompt-counter.ts';
import type { CacheOptions } from '../cache/cache-steps.ts';
import type { PrunerOptions } from '../contract.ts';
import type { LiveResult } from '../conversation/element.ts';
import type { Labels } from '../conversation/labels.ts';
import type { LiveDialect } from '../request/dialects.ts';
import type { Slices } from './slices.ts';

/** What the work of a turn needs beside its conversation. */
export interface TurnTools {
  readonly dialect: LiveDialect;
  readonly vocabulary: ToolVocabulary;
  readonly labels: Labels;
  readonly config: GivenDensityConfig;
  readonly strategy: HighDensityStrategy;
  readonly archive: PrunerOptions['archive'];
  readonly agent: string | undefined;
  readonly cache: CacheOptions;
  readonly now: () => number;
  readonly slices: Slices;
  /** True if nothing new is changed: what was sent in another form is sent so again. */
  readonly isOff: boolean;
  /** Of the request's model. */
  readonly counter: PromptCounter;
}

/** True once the texts are in the archive, each with the call that says what it is of, or if there is none to keep them in. */
export async function isArchived(
  { archive }: Pick<TurnTools, 'archive'>,
  results: readonly LiveResult['block'][],
  callOf: CallOf,
): Promise<boolean> {
  if (archive === undefined || results.length === 0) return true;
  try {
    await archive(
      results.flatMap((result): readonly ContentBlock[] => {
        const call = callOf(result);
        return call === undefined ? [result] : [call, result];
      }),
    );
    return true;
  } catch {
    return false;
  }
}
