import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError } from '../errors.ts';
import { BUILT_IN_PROFILES } from '../settings/built-in-profiles.ts';
import { parseSettings } from '../settings/parse.ts';
import type { EphemeralSettings } from '../settings/registry.ts';

/** A named set of settings. */
export interface Policy {
  readonly name: string;
  readonly settings: EphemeralSettings;
}

/** What the others are measured against: everything stays until the threshold. */
export const NO_PRUNING: Policy = {
  name: 'no-pruning',
  settings: { 'compression.density.readWritePruning': false, 'compression.density.fileDedupe': false },
};

/** What is set side by side when nobody says otherwise. */
export const USUAL_POLICIES: readonly Policy[] = [
  NO_PRUNING,
  { name: 'specification', settings: {} },
  { name: 'keep-last', settings: { 'compression.density.partialEdits': 'keep-last' } },
  { name: 'quiet', settings: { 'compression.density.quietCalls': 3 } },
  { name: 'when-it-pays', settings: { 'compression.density.timing': 'when-it-pays' } },
  ...Object.entries(BUILT_IN_PROFILES).map(([name, settings]): Policy => ({ name, settings })),
];

/**
 * The policies in the text of a file: one JSON object, by name the settings of each. `no-pruning` comes first, whether it
 * is there or not: the others are measured against it.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, naming the file, when it is none, or a setting in it is wrong.
 */
export function parsePolicies(text: string, file: string): readonly Policy[] {
  const invalid = (what: string, cause?: unknown): CompressionStrategyError =>
    new CompressionStrategyError(`${file}: ${what}`, 'SETTINGS_FILE_INVALID', { cause });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw invalid('Expected a JSON object with settings by the name of a policy, got text that is no JSON.', error);
  }
  if (!isRecord(parsed) || Object.keys(parsed).length === 0) {
    throw invalid(
      'Expected a JSON object with the settings of at least one policy, such as {"quiet": {"compression.density.quietCalls": 3}}.',
    );
  }
  const policies = Object.entries(parsed).map(([name, settings]): Policy => {
    if (!isRecord(settings))
      throw invalid(`Expected the settings of the policy "${name}" as an object, got ${typeof settings}.`);
    try {
      return { name, settings: parseSettings(settings) };
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      throw invalid(`Policy "${name}": ${error.message}`, error);
    }
  });
  return [NO_PRUNING, ...policies.filter(({ name }) => name !== NO_PRUNING.name)];
}
