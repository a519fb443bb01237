import { GATE_SETTINGS } from '../strategies/settings/gate-settings.ts';
import { RULE_SETTINGS } from '../strategies/settings/rule-settings.ts';
import { RECOMMENDED } from './recommended.ts';
import type { EphemeralSettings } from './registry.ts';

/** Shown instead of a file path for a built-in profile. */
export const BUILT_IN = '(built in)';

const DEFAULTS: readonly { readonly key: string; readonly default?: unknown }[] = [...RULE_SETTINGS, ...GATE_SETTINGS];

/** The rules of the specification alone, at every send: the defaults of all that `recommended` changes. */
const SPECIFICATION: EphemeralSettings = Object.fromEntries(
  DEFAULTS.filter(({ key }) => key in RECOMMENDED).map((row) => [row.key, row.default]),
);

/** Profiles that come with the program, by name. A profile that the user saves under the same name replaces it. */
export const BUILT_IN_PROFILES: Readonly<
  Record<string, EphemeralSettings> & Record<'recommended' | 'specification', EphemeralSettings>
> = {
  recommended: RECOMMENDED,
  specification: SPECIFICATION,
};
