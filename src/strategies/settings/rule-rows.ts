import { ALL_RULES } from '../high-density/rules/index.ts';

type Rule = (typeof ALL_RULES)[number];

/** A setting of one pruning rule. */
export type RuleRow = Extract<Rule, { readonly settings: unknown }>['settings'][number];

/** The settings of the pruning rules. In the package this is data, so code that reads a setting loads no rule (tools/build/data-modules.mjs). */
export const RULE_ROWS: readonly RuleRow[] = ALL_RULES.flatMap((rule): readonly RuleRow[] =>
  'settings' in rule ? rule.settings : [],
);
