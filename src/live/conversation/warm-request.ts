import { isDeepStrictEqual } from 'node:util';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { RequestList } from '../request/request-list.ts';
import { elementHash } from './element.ts';

/**
 * The fields that limit an answer, with the least that their API takes. Responses refuses less than 16.
 * Source: pi 1.6.0, which warms caches; https://github.com/earendil-works/pi/issues/6265
 */
const LEAST_ANSWERS: ReadonlyMap<string, number> = new Map([
  ['max_tokens', 1],
  ['max_completion_tokens', 1],
  ['max_output_tokens', 16],
  ['maxOutputTokens', 1],
]);

/** True if a request asks for the smallest answer: nobody reads it, so nothing is to be decided for it. */
export function hasLeastAnswer(list: RequestList): boolean {
  const config = list.field(GEMINI_CONFIG);
  return [...LEAST_ANSWERS].some(([name, least]) => {
    const tokens = list.field(name) ?? (isRecord(config) ? config[name] : undefined);
    return typeof tokens === 'number' && tokens <= least;
  });
}

/** The object with Gemini's limit. */
const GEMINI_CONFIG = 'generationConfig';
/** Fields that change only the answer, or how it is sent. */
const OF_THE_ANSWER: ReadonlySet<string> = new Set([...LEAST_ANSWERS.keys(), 'stream', 'stream_options']);

/** The fields of an object that are of the prompt. */
const ofPrompt = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !OF_THE_ANSWER.has(name))) : value;

/** All that is of the prompt and beside the list. */
function besideList(list: RequestList): Fields {
  const names = list.names.filter((name) => !OF_THE_ANSWER.has(name));
  return Object.fromEntries(
    names.map((name) => [name, name === GEMINI_CONFIG ? ofPrompt(list.wholeField(name)) : list.wholeField(name)]),
  );
}

const isSameList = (one: RequestList, other: RequestList): boolean => {
  const { length } = one;
  if (other.length !== length) return false;
  for (let at = one.same(other); at < length; at++)
    if (elementHash(one.element(at)) !== elementHash(other.element(at))) return false;
  return true;
};

/**
 * True if a request is the one before it with the smallest answer (a ping of the agent): it reads the same prompt, so that the prompt
 * cache keeps it, and it is no call of the conversation.
 */
export const isWarmRequest = (previous: RequestList, next: RequestList): boolean =>
  hasLeastAnswer(next) && isSameList(previous, next) && isDeepStrictEqual(besideList(previous), besideList(next));
