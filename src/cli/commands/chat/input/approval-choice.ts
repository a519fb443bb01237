import type { Approval } from '../../../../chat/chat-event.ts';

/** A new question ignores keys for this long: the user has not read it yet. */
export const IGNORED_MS = 500;

/** The answers and their keys, in the order of the question. */
export const ANSWERS: readonly { readonly key: string; readonly word: string; readonly approval: Approval }[] = [
  { key: 'y', word: 'yes', approval: 'once' },
  { key: 'n', word: 'no', approval: 'no' },
  { key: 'a', word: 'always', approval: 'always' },
];

/** A key as an open question sees it. */
export interface PressedKey {
  readonly input: string;
  readonly isEnter: boolean;
  readonly isBackspace: boolean;
}

/** What a key does to an open question. `text`: the key belongs to the line, after `before`, the key of an earlier choice. */
export type AnswerStep =
  | { readonly kind: 'choose'; readonly choice: Approval | undefined }
  | { readonly kind: 'confirm'; readonly approval: Approval }
  | { readonly kind: 'text'; readonly before: string };

/** The state of an open question when a key arrives. */
interface OpenQuestion {
  readonly choice: Approval | undefined;
  readonly openMs: number;
  /** The text in the input line. */
  readonly line: string;
}

/**
 * A command runs only after a deliberate choice: one key selects an answer, Enter confirms it. Keys belong to the line
 * if it contains text and during the first 500 ms, so that no earlier typing answers a question.
 */
export function answerStep(
  { input, isEnter, isBackspace }: PressedKey,
  { choice, openMs, line }: OpenQuestion,
): AnswerStep {
  if (openMs < IGNORED_MS || line !== '') return { kind: 'text', before: '' };
  if (choice === undefined) {
    const answer = ANSWERS.find(({ key }) => key === input.toLowerCase());
    return answer ? { kind: 'choose', choice: answer.approval } : { kind: 'text', before: '' };
  }
  if (isEnter) return { kind: 'confirm', approval: choice };
  if (isBackspace) return { kind: 'choose', choice: undefined };
  return { kind: 'text', before: ANSWERS.find(({ approval }) => approval === choice)?.key ?? '' };
}
