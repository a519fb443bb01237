import fc from 'fast-check';
import type { DensityRules } from '../../../src/strategies/contract.ts';
import { densityRules } from '../../../src/strategies/settings/rule-settings.ts';

/** Readings of tools of the generated histories that are not their agent's. */
const OWN_TOOLS = ['other=read_file', 'read=replace:file_path', 'write=Grep:path+pattern', 'shell=read_file:path'];

/** Any combination of the rules, a new one included. `lists` are the names that rules with a list choose from. */
export function generatedRules(
  lists: Pick<DensityRules, 'protectedTools' | 'protectedPaths'>,
): fc.Arbitrary<DensityRules> {
  const arbitraries = densityRules((row): fc.Arbitrary<unknown> => {
    switch (row.type) {
      case 'boolean':
        return fc.boolean();
      case 'enum':
        return fc.constantFrom(...row.enumValues);
      case 'number':
        return row.unit === 'tokens' ? fc.constantFrom(0, 1, 200) : fc.nat(4);
      case 'text':
        if (row.key === 'compression.density.tools') return fc.subarray(OWN_TOOLS);
        return fc.subarray([
          ...lists[row.key === 'compression.density.protectedTools' ? 'protectedTools' : 'protectedPaths'],
        ]);
    }
  });
  const { reportCalls: _, skillCalls: __, thinkingCalls: ___, thinkingWhenCold: ____, ...others } = arbitraries;
  const drawn = fc.record(others as never) as fc.Arbitrary<
    Omit<DensityRules, 'reportCalls' | 'skillCalls' | 'thinkingCalls' | 'thinkingWhenCold'>
  >;
  // With the numbers of other rules, so that what was generated before is generated again.
  return drawn.map((rules) => {
    const { resultCalls, quietCalls } = rules;
    return {
      ...rules,
      reportCalls: resultCalls,
      skillCalls: quietCalls,
      thinkingCalls: Math.min(1, resultCalls),
      thinkingWhenCold: 'keep',
    };
  });
}
