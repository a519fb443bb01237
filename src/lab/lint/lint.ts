import { pairCalls } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { inExcess } from '../../content/group-by.ts';
import { anyAgent } from '../../content/vocabularies/vocabulary.ts';
import { copiesIn, copyIn } from '../../guard/copy-in.ts';

/** Something in a history that a provider refuses or misunderstands. */
export interface LintFinding {
  readonly rule: LintRule;
  /** `refused`: a request with it fails. `doubtful`: some providers refuse it, others change its meaning. */
  readonly severity: 'refused' | 'doubtful';
  /** Number of the entry, from 1. */
  readonly position: number;
  /** What was found, and why it does not work. */
  readonly message: string;
}

export type LintRule =
  | 'unanswered-call'
  | 'orphan-response'
  | 'late-response'
  | 'repeated-response'
  | 'repeated-call-id'
  | 'empty-entry'
  | 'empty-text'
  | 'tool-name'
  | 'call-id'
  | 'trailing-blank'
  | 'starts-without-user'
  | 'ends-with-open-call'
  | 'copied-marker'
  | 'half-character'
  | 'api-rule';

/** Source: names of tools in the APIs of Anthropic (up to 128), OpenAI and Google (up to 64); the longest counts. */
const TOOL_NAME = /^[a-zA-Z0-9_.:-]{1,128}$/;

/**
 * The faults of a history as the body of a request, in the order of its entries. Open calls of the last answer may still
 * get results, so they are only doubtful. Linear.
 * Source: error texts of the Messages API of Anthropic and of Chat Completions of OpenAI.
 */
export function lintHistory(history: readonly IContent[]): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const add = (rule: LintRule, entry: number, message: string, severity: LintFinding['severity'] = 'refused'): void => {
    findings.push({ rule, severity, position: entry + 1, message });
  };
  const { calls, responses } = pairCalls(history);
  const lastAnswer = history.findLastIndex(({ speaker }) => speaker === 'ai');
  /** By call id: the entry with the result of its latest call. */
  const answeredIn = new Map<string, number>();
  for (const { call, entry, responses: answers } of calls) {
    const copy = copiesIn(call, anyAgent) && copyIn(call, history.slice(0, entry));
    if (copy)
      add(
        'copied-marker',
        entry,
        `Call ${call.id} of ${call.name}: its text has a marker, which stands for ${copy.standsFor}: it is part of no file.`,
        'doubtful',
      );
    if ((answeredIn.get(call.id) ?? -1) > entry) {
      add('repeated-call-id', entry, `Call id ${call.id} is used again before it is answered: ids must be unique.`);
    }
    answeredIn.set(call.id, answers[0]?.entry ?? history.length);
    if (!TOOL_NAME.test(call.name)) {
      add('tool-name', entry, `A tool is called "${call.name.slice(0, 40)}": letters, digits, - and _ are allowed.`);
    }
    if (answers.length === 0) {
      const isOpen = entry === lastAnswer && history.slice(entry + 1).every(({ speaker }) => speaker === 'tool');
      if (isOpen) {
        add(
          'ends-with-open-call',
          entry,
          `Call ${call.id} of ${call.name} has no result yet: send it first.`,
          'doubtful',
        );
      } else {
        add(
          'unanswered-call',
          entry,
          `Call ${call.id} of ${call.name} has no result: each call needs one in the next message.`,
        );
      }
      continue;
    }
    const between = history.slice(entry + 1, answers[0]!.entry).findIndex(({ speaker }) => speaker !== 'tool');
    if (between !== -1) {
      const what = history[entry + 1 + between]!.speaker === 'human' ? 'a message of the user' : 'another answer';
      add(
        'late-response',
        answers[0]!.entry,
        `The result of call ${call.id} comes after ${what}: it must follow its call.`,
      );
    }
    for (const again of answers.slice(1)) {
      add('repeated-response', again.entry, `Call ${call.id} is answered twice: one result for each call.`, 'doubtful');
    }
  }
  for (const { response, entry, call } of responses) {
    if (call === undefined) {
      add(
        'orphan-response',
        entry,
        `The result of ${response.toolName} answers call ${response.callId}, which is not there.`,
      );
    }
  }
  for (let entry = 0; entry < history.length; entry++) {
    const { blocks, speaker } = history[entry]!;
    if (blocks.some(hasHalfCharacter)) {
      add('half-character', entry, 'A text has half of a character (a lone surrogate): JSON with it is not valid.');
    }
    if (blocks.length === 0) add('empty-entry', entry, 'The message is empty: it needs at least one block.');
    else if (speaker !== 'tool' && blocks.every(isBlank)) {
      add('empty-text', entry, 'The message has nothing but blanks: text must not be empty.');
    }
  }
  if (history.length > 0 && history[0]!.speaker !== 'human') {
    add('starts-without-user', 0, 'The first message is not the user’s.', 'doubtful');
  }
  return findings.sort((one, other) => one.position - other.position);
}

/** Half of a pair of surrogates. Source: https://github.com/anthropics/claude-code/issues/56064 ("no low surrogate in string") */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** True if a text in a value has half of a character, as a cut in the middle of an emoji leaves it. */
const hasHalfCharacter = (value: unknown): boolean =>
  typeof value === 'string'
    ? LONE_SURROGATE.test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasHalfCharacter);

const isBlank = (block: ContentBlock): boolean => block.type === 'text' && block.text.trim() === '';

/** The findings that a step added: those of `after` in excess of the same rule's in `before`. */
export const newFindings = (before: readonly LintFinding[], after: readonly LintFinding[]): readonly LintFinding[] =>
  inExcess(before, after, ({ rule }) => rule);
