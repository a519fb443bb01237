import { rm } from 'node:fs/promises';
import type { BlockArchive } from '../disk/block-archive.ts';
import { hookEvent } from './hook-event.ts';
import { repeatedResult, resultsFile } from './repeated-result.ts';
import { type ResumeOfferOptions, resumeOffer } from './resume-offer.ts';
import { shapedResult } from './shaped-result.ts';

export interface HookOptions extends ResumeOfferOptions {
  readonly archive: BlockArchive;
  /** Where the results of each conversation are noted. */
  readonly folder: string;
  /** True under `density wrap`, which finds repeats itself, and may shorten what they refer to. */
  readonly isWrapped: boolean;
}

/** What a hook prints for an event of an agent; undefined: nothing. @throws Error for what is no event, and the system's error. */
export async function hookAnswer(text: string, options: HookOptions): Promise<object | undefined> {
  const event = hookEvent(text);
  const { archive, folder, isWrapped } = options;
  switch (event.name) {
    case 'PostToolUse':
      return isWrapped
        ? undefined
        : ((await repeatedResult(event, { archive, folder })) ?? (await shapedResult(event, archive)));
    case 'SessionStart':
      // Earlier results are not visible any more.
      if (event.fields['source'] === 'compact' || event.fields['source'] === 'clear')
        await rm(resultsFile(event, folder), { force: true });
      return resumeOffer(event, options);
    default:
      return undefined;
  }
}
