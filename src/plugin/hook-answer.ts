import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { hookEvent } from './hook-event.ts';
import { linesFile, newResult } from './new-result.ts';
import { type ResumeOfferOptions, resumeOffer } from './resume-offer.ts';

export interface HookOptions extends ResumeOfferOptions {
  /** The folder of the archive. */
  readonly archive: string;
  /** Where the lines of each conversation are noted. */
  readonly folder: string;
  /** True under `density wrap`, which gives results their forms itself. */
  readonly isWrapped: boolean;
  /** True if results are replaced in Codex too, for work in this folder. */
  readonly isOnInCodex: (folder: string) => Promise<boolean>;
}

/** What a hook prints for an event of an agent; undefined: nothing. @throws Error for what is no event, and the system's error. */
export async function hookAnswer(text: string, options: HookOptions): Promise<object | undefined> {
  const event = hookEvent(text);
  const { archive, folder, isWrapped } = options;
  switch (event.name) {
    case 'PostToolUse':
      if (isWrapped || (event.isOfCodex && !(await options.isOnInCodex(event.cwd)))) return undefined;
      return newResult(event, { archive, folder });
    case 'SessionStart':
      // Earlier results are not visible any more.
      if (event.fields['source'] === 'compact' || event.fields['source'] === 'clear')
        rmSync(linesFile(event, folder), { force: true });
      deleteOld(folder, options.now);
      return resumeOffer(event, options);
    default:
      return undefined;
  }
}

/** A conversation that goes on after this time notes its lines again. */
const MOST_MS = 30 * 24 * 60 * 60_000;

/** Deletes what was noted of conversations that had no call for long. @throws the system's error. */
function deleteOld(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  // Earlier versions wrote `.jsonl`.
  for (const file of readdirSync(folder).filter((name) => /\.(?:lines|jsonl)$/.test(name))) {
    const place = path.join(folder, file);
    if (now - statSync(place).mtimeMs > MOST_MS) rmSync(place, { force: true });
  }
}
