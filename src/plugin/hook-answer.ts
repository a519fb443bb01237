import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { asText } from '../content/foreign-value.ts';
import { DAY_MS } from '../durations.ts';
import { mayHaveMarker } from '../guard/sent-marker.ts';
import { type HookEvent, hookEvent } from './hook-event.ts';
import { missingMods } from './missing-mods.ts';
import { linesFile, newResult } from './new-result.ts';
import { type ResumeOfferOptions, resumeOffer } from './resume-offer.ts';

interface HookOptions extends ResumeOfferOptions {
  /** The folder of the archive. */
  readonly archive: string;
  /** Where the lines of each conversation are noted. */
  readonly folder: string;
  /** The folder in which copied markers are noted. */
  readonly live: string;
  /** True under `density wrap`, which gives results their forms itself. */
  readonly isWrapped: boolean;
  /** True if results are replaced in Codex too, for work in this folder. */
  readonly isOnInCodex: (folder: string) => Promise<boolean>;
  /** True where `density wrap` looks at the calls of this agent before they run. */
  readonly isGuarded: boolean;
  /** The agent that runs the hook, as it names itself in `AI_AGENT`. */
  readonly runsIn?: string | undefined;
}

/** What a hook prints for an event of an agent; undefined: nothing. @throws Error for what is no event, and the system's error. */
export async function hookAnswer(text: string, options: HookOptions): Promise<object | undefined> {
  const event = hookEvent(text);
  const { archive, folder, isWrapped, isGuarded } = options;
  switch (event.name) {
    case 'PreToolUse': {
      if (isGuarded || !mayHaveMarker(text)) return undefined;
      const { refusedWrite } = await import('./copied-write.ts');
      return refusedWrite(event, options);
    }
    case 'PostToolUse': {
      if (isWrapped) return undefined;
      const isOn = !event.isOfCodex || (await options.isOnInCodex(event.cwd));
      const answer = isOn ? await newResult(event, { archive, folder }) : undefined;
      return SHELLS.test(asText(event.fields['tool_name'])) && mayHaveMarker(JSON.stringify(event.fields['tool_input']))
        ? withNotice(answer, event, options)
        : answer;
    }
    // An event of the mod in the plugin.
    case 'SessionCompact':
      return isWrapped ? undefined : (await import('./compaction/compaction.ts')).compaction(event, options);
    case 'SessionStart':
      // Earlier results are not visible any more.
      if (event.fields['source'] === 'compact' || event.fields['source'] === 'clear')
        rmSync(linesFile(event, folder), { force: true });
      deleteOld(folder, options.now);
      return (await resumeOffer(event, options)) ?? missingMods(options.runsIn, folder);
    default:
      return undefined;
  }
}

/** A hook before each shell command would cost a process, and after it there is one. */
const SHELLS = /^(?:Bash|PowerShell)$/;

async function withNotice(
  answer: object | undefined,
  event: HookEvent,
  options: HookOptions,
): Promise<object | undefined> {
  const { toldWrite } = await import('./copied-write.ts');
  const additionalContext = await toldWrite(event, options);
  if (additionalContext === undefined) return answer;
  const { hookSpecificOutput = {}, ...more } = (answer ?? {}) as { readonly hookSpecificOutput?: object };
  return { ...more, hookSpecificOutput: { ...hookSpecificOutput, hookEventName: 'PostToolUse', additionalContext } };
}

/** A conversation that goes on after this time notes its lines again. */
const MAX_MS = 30 * DAY_MS;

/** Deletes what was noted of conversations that had no call for long. @throws the system's error. */
function deleteOld(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  // Earlier versions wrote `.jsonl`.
  for (const file of readdirSync(folder).filter((name) => /\.(?:lines|jsonl|removed)$/.test(name))) {
    const place = path.join(folder, file);
    if (now - statSync(place).mtimeMs > MAX_MS) rmSync(place, { force: true });
  }
}
