const VENDORS = 'anthropic|openai|google|deepseek|moonshot|moonshotai|minimax|zai|x-ai|xai';

type Part = readonly [found: RegExp, replacement: string];

/** What a name may carry beside the one that its vendor gives, in the order in which it is taken off. */
const AROUND: readonly Part[] = [
  // `litellm_proxy/…`, `openai/…`, `openrouter/anthropic/…`
  [/^.*\//, ''],
  // `us.anthropic.…`, `anthropic.…`
  [new RegExp(`^(?:[a-z-]+\\.)?(?:${VENDORS})\\.`), ''],
  // `[1m]`, a larger window of the same model
  [/\[[^[\]]*\]/g, ''],
  // `-v1:0` of Bedrock
  [/^(claude.*)-v\d+(?::\d+)?$/, '$1'],
  [/\./g, '-'],
];

/** Snapshots and options of a model, in the order in which they are taken off. What costs something else is no option: `:free`, `-fast`. */
const OPTIONS: readonly Part[] = [
  [/:thinking$/, ''],
  // `@20250514`, `@default`
  [/@.*/, ''],
  // `-20250929`, `-2025-08-07`
  [/-\d{8}$/, ''],
  [/-\d{4}-\d{2}-\d{2}$/, ''],
  [/-latest$/, ''],
  // A version of its model. Source: https://ai.google.dev/gemini-api/docs/models/gemini-3.1-pro-preview
  [/-customtools$/, ''],
  // `-preview`, `-preview-05-20`, `-exp-03-25`
  [/-(?:preview|exp)(?:-\d{2}-\d{2,4})?$/, ''],
  // `-0528`
  [/-\d{4}$/, ''],
  [/^(claude.*)-thinking$/, '$1'],
  // `claude-4-5-opus` is `claude-opus-4-5`.
  [/^claude-(\d+(?:-\d+)?)-(opus|sonnet|haiku|fable|mythos)$/, 'claude-$2-$1'],
];

/** The names by which Claude Code calls the newest model of a line. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  fable: 'claude-fable-5-2',
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
};

const without = (name: string, parts: readonly Part[]): string =>
  parts.reduce((rest, [found, replacement]) => rest.replace(found, replacement), name);

const MAX_NAMES = 1000;
const vendorNames = new Map<string, string>();
const canonicalNames = new Map<string, string>();

/** Each call of a session asks again; a process sees few names. */
function remembered(known: Map<string, string>, name: string, make: () => string): string {
  let made = known.get(name);
  if (made === undefined) {
    made = make();
    if (known.size < MAX_NAMES) known.set(name, made);
  }
  return made;
}

/**
 * A model's name as its vendor gives it, in lower case, with dashes for dots: without provider, region and window.
 * `us.anthropic.claude-opus-4-5-20251101-v1:0` is `claude-opus-4-5-20251101`.
 */
export const vendorName = (name: string): string =>
  remembered(vendorNames, name, () => without(name.trim().toLowerCase(), AROUND));

/**
 * A model's name without snapshot and options too: `us.anthropic.claude-opus-4-5-20251101-v1:0` and
 * `anthropic/claude-opus-4.5` are `claude-opus-4-5`.
 */
export const canonicalModel = (name: string): string =>
  remembered(canonicalNames, name, () => without(vendorName(name), OPTIONS));

/** The model that a short name such as `sonnet` means, which is a guess; `undefined` for any other name. */
export const shortNameOf = (canonical: string): string | undefined =>
  Object.hasOwn(SHORT_NAMES, canonical) ? SHORT_NAMES[canonical] : undefined;
