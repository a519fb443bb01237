const VENDORS = 'anthropic|openai|google|deepseek|moonshot|moonshotai|minimax|zai|x-ai|xai';

/** What a name may carry beside the model, in the order in which it is taken off. */
const EXTRAS: readonly RegExp[] = [
  // `litellm_proxy/…`, `openai/…`, `openrouter/anthropic/…`
  /^.*\//,
  // `us.anthropic.…`, `anthropic.…`
  new RegExp(`^(?:[a-z-]+\\.)?(?:${VENDORS})\\.`),
  // `[1m]`, a larger window of the same model
  /\[[^\]]*\]/g,
  // `:thinking`, `:free`; `-v1:0` of Bedrock
  /:[a-z]+$/,
  /-v\d+(?::\d+)?$/,
  // `@20250514`, `@default`
  /@.*$/,
  // `-20250929`, `-2025-08-07`
  /-\d{8}$/,
  /-\d{4}-\d{2}-\d{2}$/,
  /-latest$/,
  /-preview$/,
];

/** `claude-4-5-opus` is `claude-opus-4-5`. */
const VERSION_FIRST = /^claude-(\d+(?:-\d+)?)-(opus|sonnet|haiku|fable)/;

/** The names by which Claude Code calls the newest model of a line. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  fable: 'claude-fable-5-1',
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
};

const MOST_NAMES = 1000;
const knownNames = new Map<string, string>();

/**
 * A model's name without provider, region, date and options, in lower case, with dashes for dots:
 * `us.anthropic.claude-opus-4-5-20251101-v1:0` and `anthropic/claude-opus-4.5` are `claude-opus-4-5`.
 */
export function canonicalModel(name: string): string {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const bare = EXTRAS.reduce((rest, extra) => rest.replace(extra, ''), name.trim().toLowerCase());
  const canonical = bare.replaceAll('.', '-').replace(VERSION_FIRST, 'claude-$2-$1');
  // Each call of a session asks again; a process sees few names.
  if (knownNames.size < MOST_NAMES) knownNames.set(name, canonical);
  return canonical;
}

/** The model that a short name such as `sonnet` means, which is a guess; `undefined` for any other name. */
export const shortNameOf = (canonical: string): string | undefined =>
  Object.hasOwn(SHORT_NAMES, canonical) ? SHORT_NAMES[canonical] : undefined;
