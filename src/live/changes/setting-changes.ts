import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../content/foreign-value.ts';
import type { ChangeKind } from '../../economics/cache-miss.ts';
import { valueAt } from '../../formats/json/json-change.ts';
import type { PromptChange } from '../contract.ts';

/** A setting of a request that providers write into the prompt, or have in the key of their cache. */
interface CachedSetting {
  readonly kind: ChangeKind;
  readonly words: string;
  readonly path: readonly [field: string, ...inner: string[]];
}

/**
 * Sources: https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "What invalidates the cache" (tool choice, thinking, effort, speed);
 * https://developers.openai.com/api/docs/guides/prompt-caching (effort, format, key); https://ai.google.dev/gemini-api/docs/caching.
 */
export const CACHED_SETTINGS: readonly CachedSetting[] = [
  { kind: 'effort', words: 'the effort', path: ['output_config', 'effort'] },
  { kind: 'effort', words: 'the effort', path: ['reasoning', 'effort'] },
  { kind: 'effort', words: 'the effort', path: ['reasoning_effort'] },
  { kind: 'thinking', words: 'thinking', path: ['thinking'] },
  { kind: 'thinking', words: 'thinking', path: ['generationConfig', 'thinkingConfig'] },
  { kind: 'settings', words: '`speed`', path: ['speed'] },
  { kind: 'settings', words: '`tool_choice`', path: ['tool_choice'] },
  { kind: 'settings', words: '`toolConfig`', path: ['toolConfig'] },
  { kind: 'settings', words: 'the format of the answer', path: ['output_config', 'format'] },
  { kind: 'settings', words: 'the format of the answer', path: ['output_format'] },
  { kind: 'settings', words: 'the format of the answer', path: ['text', 'format'] },
  { kind: 'settings', words: 'the format of the answer', path: ['response_format'] },
  { kind: 'settings', words: '`mcp_servers`', path: ['mcp_servers'] },
  { kind: 'settings', words: '`prompt_cache_key`', path: ['prompt_cache_key'] },
];

/** How a setting differs between two values of its field. */
export function settingChanges(
  { kind, words, path: [, ...inner] }: CachedSetting,
  before: unknown,
  now: unknown,
): readonly PromptChange[] {
  const [was, is] = [valueAt(before, inner), valueAt(now, inner)];
  if (isDeepStrictEqual(was, is)) return [];
  const [from, to] = [valueWords(was), valueWords(is)];
  const values = from === undefined || to === undefined || from === to ? '' : ` from ${from} to ${to}`;
  return [{ kind, what: `${words} changed${values}` }];
}

/** A short word of the provider's own. */
const WORD = /^[\w-]{1,24}$/;

/** `high`, `adaptive`, `enabled (16000)`; undefined for what is no word. */
function valueWords(value: unknown): string | undefined {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return WORD.test(value) ? value : undefined;
  if (!isRecord(value)) return undefined;
  const { type, budget_tokens: budget } = value;
  if (typeof type !== 'string' || !WORD.test(type)) return undefined;
  return typeof budget === 'number' ? `${type} (${budget})` : type;
}

/** The beta features of a request, by its header. */
export function betaChanges(before: string, now: string): readonly PromptChange[] {
  const [old, own] = [before, now].map((list) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );
  const added = own!.filter((name) => !old!.includes(name));
  const removed = old!.filter((name) => !own!.includes(name));
  const named = [
    ...(added.length > 0 ? [`${listed(added)} added`] : []),
    ...(removed.length > 0 ? [`${listed(removed)} removed`] : []),
  ];
  return named.length === 0 ? [] : [{ kind: 'betas', what: `beta features changed (${named.join(', ')})` }];
}

const BETA = /^[\w.-]{1,60}$/;
const listed = (names: readonly string[]): string =>
  names.map((name) => (BETA.test(name) ? `\`${name}\`` : 'one with an odd name')).join(', ');
