import type { IContent } from '../content/content.ts';
import { claudeCode as vocabulary } from '../content/vocabularies/claude-code.ts';
import { isRecord } from '../content/vocabulary.ts';
import { followConversation } from './claude-code/conversation.ts';
import { createRecording } from './claude-code/create.ts';
import { type Draft, draftContent } from './claude-code/draft.ts';
import { readRecording } from './claude-code/recording.ts';
import { writeRecording } from './claude-code/write.ts';
import type { Line, Session, SessionEvent, SessionFormat } from './contract.ts';
import { headLines } from './detection.ts';

const NAME = 'claude-code';

function read(lines: Iterable<Line>): Session {
  const recording = readRecording(lines);
  const { id, model, workspaceRoot, skipped } = recording;
  const contents = new Map<Draft, IContent>();
  const contentOf = (draft: Draft): IContent => {
    const known = contents.get(draft) ?? draftContent(draft);
    contents.set(draft, known);
    return known;
  };
  const events = followConversation(recording).events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { kind: 'add', content: contentOf(event.draft) }
        : { kind: 'replace', contents: event.drafts.map(contentOf) },
  );
  return {
    format: NAME,
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    events,
    skipped,
  };
}

/** A line of the tree, or one of the two that stand before it in fresh files. */
function isLine(value: unknown): boolean {
  if (!isRecord(value) || typeof value['type'] !== 'string') return false;
  if (value['type'] === 'summary') return typeof value['leafUuid'] === 'string';
  if (value['type'] === 'file-history-snapshot') return typeof value['messageId'] === 'string';
  return typeof value['uuid'] === 'string' && typeof value['sessionId'] === 'string' && 'parentUuid' in value;
}

/** Claude Code, `~/.claude/projects/<folder>/<session>.jsonl`, versions 1.0 to 2.1. */
export const claudeCode: SessionFormat = {
  name: NAME,
  title: 'Claude Code',
  vocabulary,
  detect: (head) => headLines(head).some(isLine),
  read,
  write: writeRecording,
  create: createRecording,
};
