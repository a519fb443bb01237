import { readFileSync } from 'node:fs';
import { readOr } from '../../content/foreign-value.ts';
import type { PastCall } from '../../economics/account/past-calls.ts';
import { FrozenDecisions, type FrozenResult, frozenForms } from '../../live/conversation/frozen.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { isTextId } from '../../live/request/live-text.ts';
import { isThinkingId } from '../../live/request/live-thinking.ts';
import { sessionOf } from '../../live/stored-lines.ts';
import { type ConversationFile, conversationFiles } from './conversation-files.ts';

/** A text in the place of another: the id of its call, and the hash of what the agent wrote. */
export interface SentText {
  readonly callId: string;
  readonly hash: string;
  readonly text: string;
  /** The results and words of users that it refers to, as decisions name them. */
  readonly sources: readonly string[];
}

/** What was sent in a conversation. */
export interface SentConversation {
  /** The hash of the agent's session, where its requests named it. */
  readonly session: string | undefined;
  readonly results: readonly SentText[];
  /** All texts that results ever had in it, by the ids of their calls: a copy of the session may contain one of them. */
  readonly forms: readonly SentText[];
  /** The texts that were sent in place of summaries; they belong to no call. */
  readonly summaries: readonly SentText[];
  /** In place of what the agent wrote in user turns, by their ids. */
  readonly words: ReadonlyMap<string, SentText>;
  /** The names of thinking that was left out. */
  readonly omittedThinking: ReadonlySet<string>;
  /** Its model calls, with what pruning removed from them. */
  readonly calls: readonly PastCall[];
}

/** What was read of a file, which only grows. */
const read = new Map<string, { readonly version: string; readonly sent: SentConversation }>();

/** The name of a result is the id of its call and a hash of its text. */
function sentText({ id, text, sources = [] }: FrozenResult): SentText {
  const end = id.lastIndexOf(' ');
  return { callId: id.slice(0, end), hash: id.slice(end + 1), text, sources };
}

function sentConversation({ path, version }: ConversationFile): SentConversation {
  const known = read.get(path);
  if (known?.version === version) return known.sent;
  const lines = readFileSync(path, 'utf8').split('\n');
  const decisions = FrozenDecisions.of(lines);
  const isText = ({ kind }: FrozenResult): boolean => kind !== 'cache';
  const last = [...decisions.results.values()].filter(isText);
  const isSummary = ({ kind }: FrozenResult): boolean => kind === 'named';
  const isWords = ({ id }: FrozenResult): boolean => isTextId(id);
  const isThinking = ({ id }: FrozenResult): boolean => isThinkingId(id);
  const sent = {
    session: sessionOf(lines),
    results: last.filter((form) => !isSummary(form) && !isWords(form) && !isThinking(form)).map(sentText),
    forms: frozenForms(lines).filter(isText).map(sentText),
    summaries: last.filter(isSummary).map(sentText),
    words: new Map(last.filter(isWords).map((form) => [form.id, sentText(form)])),
    omittedThinking: new Set(last.filter(isThinking).map(({ id }) => id)),
    calls: decisions.calls.calls,
  };
  read.set(path, { version, sent });
  return sent;
}

/** What was sent in the conversations that were used since then; what cannot be read says nothing. */
export const conversationsSince = (startedAt: number): readonly SentConversation[] =>
  conversationFiles().flatMap((file) =>
    file.changedAt < startedAt ? [] : readOr<SentConversation, []>(() => sentConversation(file), []),
  );

/** Lines at the end of a text among which an addition is looked for; that of Claude Code has three. */
const MAX_LINES = 12;

/**
 * A form as it stands in a file: without what the agent added to the end of the result when it sent it, and adds again in
 * the next request. `recorded` is the text of the result in the file. The hash of what was sent proves where that ends.
 * Claude Code leaves out white space at the end of a result before it adds to it. Source: 2.1.330.
 */
export function withoutAddition(form: SentText, recorded: string): SentText {
  const texts = [recorded, recorded.trimEnd()];
  let from = form.text.length;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    from = form.text.lastIndexOf('\n', from - 1);
    if (from <= 0) return form;
    const addition = form.text.slice(from);
    if (texts.some((text) => hashOf(text + addition) === form.hash)) return { ...form, text: form.text.slice(0, from) };
  }
  return form;
}
