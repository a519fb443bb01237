import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { madeOnce } from '../../content/group-by.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { claudeCode as vocabulary } from '../../content/vocabularies/claude-code.ts';
import type { Line, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { withProviderCuts } from '../provider-cuts.ts';
import { isQwenRecord } from '../qwen-code/records.ts';
import { followConversation, type RecordedConversation } from './conversation.ts';
import { type Recording, readRecording } from './recording.ts';
import type { TreeLine } from './tree-line.ts';
import { USAGE_REPORTS } from './usage.ts';
import { createRecording } from './write/create.ts';
import { type Draft, draftContent } from './write/draft.ts';
import { writeRecording } from './write/write.ts';

const NAME = 'claude-code';

/** Lines that no model call saw, because the file is out of order or their parent line could not be read. */
function unreached({ misplaced, tree }: Recording, { events }: RecordedConversation): SkippedLine[] {
  if (misplaced.length === 0) return [];
  const drafts = events.flatMap((event) => (event.kind === 'add' ? event.draft : event.drafts));
  const seen = new Set(drafts.flatMap(({ lines }) => lines));
  const lost = new Set<TreeLine>();
  for (const line of misplaced)
    for (let next: TreeLine | undefined = line; next && !seen.has(next); next = next.parent) lost.add(next);
  for (const line of tree) if (line.parent && lost.has(line.parent) && !seen.has(line)) lost.add(line);
  return [...lost].flatMap(({ kind, lines: [line = 0] }) =>
    kind === 'ai' || kind === 'user' || kind === 'note'
      ? [{ line, reason: 'no branch contains it: its parent line is missing or out of order' }]
      : [],
  );
}

function read(lines: Iterable<Line>): Session {
  const recording = readRecording(lines);
  const { id, model, workspaceRoot, skipped, sideCalls } = recording;
  const conversation = followConversation(recording);
  const contents = new Map<Draft, IContent>();
  const contentOf = (draft: Draft): IContent => madeOnce(contents, draft, () => draftContent(draft));
  const events = conversation.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { kind: 'add', content: contentOf(event.draft) }
        : { kind: 'replace', contents: event.drafts.map(contentOf), ...(event.by && { by: event.by }) },
  );
  return {
    format: NAME,
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    events,
    skipped: [...skipped, ...unreached(recording, conversation)],
    ...(sideCalls.length > 0 && { sideCalls }),
  };
}

/** True for a line of the tree, or one of the two lines before it in new files. */
function isLine(value: unknown): boolean {
  if (!isRecord(value) || typeof value['type'] !== 'string' || isQwenRecord(value)) return false;
  if (value['type'] === 'summary') return typeof value['leafUuid'] === 'string';
  if (value['type'] === 'file-history-snapshot') return typeof value['messageId'] === 'string';
  return typeof value['uuid'] === 'string' && typeof value['sessionId'] === 'string' && 'parentUuid' in value;
}

/** Claude Code, `~/.claude/projects/<folder>/<session>.jsonl`, versions 1.0 to 2.1. */
export const claudeCode: SessionFormat = withProviderCuts({
  name: NAME,
  title: 'Claude Code',
  vocabulary,
  detect: (head) => headLines(head).some(isLine),
  read,
  write: writeRecording,
  usageReports: USAGE_REPORTS,
  create: createRecording,
});
