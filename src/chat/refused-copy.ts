import type { IContent, ToolCallBlock } from '../content/content.ts';
import { fileAccess } from '../content/files/file-access.ts';
import { anyAgent } from '../content/vocabularies/vocabulary.ts';
import { copyIn } from '../guard/copy-in.ts';
import type { GuardLog } from '../guard/guard-log.ts';
import type { Workspace } from './workspace.ts';

interface Writing {
  /** As the model sees it. */
  readonly history: readonly IContent[];
  readonly workspace: Workspace;
  readonly log: GuardLog;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly signal: AbortSignal;
}

/** Why a call that would write a marker of the conversation is not run; `undefined`: it runs, also where this fails. Rejects only when aborted. */
export async function refusedCopy(
  call: ToolCallBlock,
  { history, workspace, signal, log, ...site }: Writing,
): Promise<string | undefined> {
  try {
    if (copyIn(call, history) === undefined) return undefined;
    const { writes } = fileAccess(call, anyAgent, workspace.root, { includesShellWrites: true });
    const texts = await Promise.all(writes.map((file) => workspace.read(file, signal).catch(() => '')));
    const copy = copyIn(call, history, { texts });
    return copy && (await log.refusedFor(call, copy, { ...site, agent: 'density-chat' }));
  } catch {
    signal.throwIfAborted();
    // The user sees what is written, and is asked.
    return undefined;
  }
}
