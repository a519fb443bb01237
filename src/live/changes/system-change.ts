import { isRecord } from '../../content/foreign-value.ts';
import type { PromptChange } from '../contract.ts';

/**
 * Claude Code says here who pays, with a hash of the request. The provider takes it out of the prompt.
 * Source: Claude Code 2.1.330, its first block of `system`.
 */
const NO_PROMPT = 'x-anthropic-billing-header:';

const textOf = (block: unknown): string => {
  const text = isRecord(block) ? block['text'] : block;
  return typeof text === 'string' ? text : (JSON.stringify(block) ?? '');
};

/** The texts of a system prompt: one text, a list of blocks, or a content of Gemini. */
export function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const given = isRecord(value) ? (value['parts'] ?? [value]) : value;
  const blocks = Array.isArray(given) ? given : [given];
  return blocks.map(textOf).filter((text) => !text.startsWith(NO_PROMPT));
}

/** Where the texts of a system prompt are different; nothing if only marks are. */
export function systemChanges(old: readonly string[], own: readonly string[]): readonly PromptChange[] {
  const at = firstDifference(old, own);
  if (at === undefined) return [];
  const [was, is] = [old[at], own[at]];
  const isOnly = Math.max(old.length, own.length) === 1;
  const line = was === undefined || is === undefined ? '' : `line ${lineOf(was, is)}`;
  const block = isOnly ? '' : `block ${at + 1}`;
  const place = [line, block].filter((one) => one !== '').join(' of ');
  return [{ kind: 'system', what: 'the system prompt changed', ...(place !== '' && { where: `at ${place}` }) }];
}

/** The first index at which two lists or texts are different. */
function firstDifference(one: ArrayLike<string>, other: ArrayLike<string>): number | undefined {
  const most = Math.max(one.length, other.length);
  for (let at = 0; at < most; at++) if (one[at] !== other[at]) return at;
  return undefined;
}

const lineOf = (one: string, other: string): number =>
  one.slice(0, firstDifference(one, other) ?? 0).split('\n').length;
