import { SHAPER_NAMES } from '../high-density/shapers/shaper.ts';
import { densityField } from './density-row.ts';
import { RULE_ROWS } from './rule-rows.ts';

const FIELDS: ReadonlySet<string> = new Set(['repeatedLines', ...SHAPER_NAMES]);

/** The settings of what gives new results a shorter form. Every default turns it off. */
export const SHAPING_SETTINGS = RULE_ROWS.filter(({ key }) => FIELDS.has(densityField(key)));
