import type { ContentBlock } from '../../content/content.ts';
import type { HighDensityStrategy } from '../../strategies/high-density/high-density.ts';
import type { GivenDensityConfig } from '../../strategies/settings/density-config.ts';
import type { PrunerOptions } from '../contract.ts';
import type { Labels } from '../conversation/labels.ts';
import type { LiveDialect } from '../request/dialects.ts';
import type { Slices } from './slices.ts';

/** What the work of a turn needs beside its conversation. */
export interface TurnTools {
  readonly dialect: LiveDialect;
  readonly labels: Labels;
  readonly config: GivenDensityConfig;
  readonly strategy: HighDensityStrategy;
  readonly archive: PrunerOptions['archive'];
  readonly agent: string | undefined;
  readonly now: () => number;
  readonly slices: Slices;
}

/** True once the text is in the archive, or if there is none to keep it in. */
export async function isArchived(
  { archive }: Pick<TurnTools, 'archive'>,
  blocks: readonly ContentBlock[],
): Promise<boolean> {
  if (archive === undefined) return true;
  try {
    await archive(blocks);
    return true;
  } catch {
    return false;
  }
}
