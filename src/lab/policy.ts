import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError } from '../errors.ts';
import { parseSettings } from '../settings/parse.ts';
import { RECOMMENDED } from '../settings/recommended.ts';
import type { EphemeralSettings } from '../settings/registry.ts';

/** A named set of settings: a profile, saved or not. */
export interface ComparedProfile {
  readonly name: string;
  readonly settings: EphemeralSettings;
  /** True: its prompt cache is kept warm by pings, as `density wrap --keep-warm` does. */
  readonly keepsWarm?: true;
}

/** The profile that the others are compared with: it removes nothing below the threshold. */
export const NO_PRUNING: ComparedProfile = {
  name: 'no-pruning',
  settings: { 'compression.density.readWritePruning': false, 'compression.density.fileDedupe': false },
};

/** The profiles that are compared by default. */
export const DEFAULT_PROFILES: readonly ComparedProfile[] = [
  NO_PRUNING,
  { name: 'specification', settings: {} },
  { name: 'keep-last', settings: { 'compression.density.partialEdits': 'keep-last' } },
  { name: 'quiet', settings: { 'compression.density.quietCalls': 3 } },
  { name: 'when-it-pays', settings: { 'compression.density.timing': 'when-it-pays' } },
  { name: 'recommended', settings: RECOMMENDED },
];

/**
 * The profiles in the text of a file: one JSON object with the settings of each profile by name. `no-pruning` is always
 * the first, because the others are compared with it.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, naming the file, when it or a setting in it is invalid.
 */
export function parseProfiles(text: string, file: string): readonly ComparedProfile[] {
  const invalid = (what: string, cause?: unknown): CompressionStrategyError =>
    new CompressionStrategyError(`${file}: ${what}`, 'SETTINGS_FILE_INVALID', { cause });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw invalid('Expected a JSON object with settings by the name of a profile, got text that is no JSON.', error);
  }
  if (!isRecord(parsed) || Object.keys(parsed).length === 0) {
    throw invalid(
      'Expected a JSON object with the settings of at least one profile, such as {"quiet": {"compression.density.quietCalls": 3}}.',
    );
  }
  const policies = Object.entries(parsed).map(([name, settings]): ComparedProfile => {
    if (!isRecord(settings))
      throw invalid(`Expected the settings of the profile "${name}" as an object, got ${typeof settings}.`);
    try {
      return { name, settings: parseSettings(settings) };
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      throw invalid(`Profile "${name}": ${error.message}`, error);
    }
  });
  return [NO_PRUNING, ...policies.filter(({ name }) => name !== NO_PRUNING.name)];
}
