import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { claudeCode } from '../content/vocabularies/claude-code.ts';
import { RECOMMENDED_CONFIG } from '../live/turn/recommended-config.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { optimizePlainly } from '../strategies/high-density/optimize-plainly.ts';
import { SHAPER_NAMES } from '../strategies/high-density/shapers/shaper.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
import type { SeenCall } from './seen-calls.ts';

/** The rules of `recommended` for results that were not sent yet, and no others: a hook cannot change what was sent. */
const CONFIG: GivenDensityConfig = {
  ...{ readWritePruning: false, fileDedupe: false, recencyPruning: false },
  rules: Object.fromEntries(SHAPER_NAMES.map((name) => [name, RECOMMENDED_CONFIG.rules?.[name]])),
};

/** A call, and its result, which is a text. */
export interface NewResult {
  readonly call: ToolCallBlock;
  readonly response: ToolResponseBlock;
}

/**
 * The form of a new result; `undefined`: it has none. `written` gives the calls that the model sees, among them those that wrote files:
 * their tests are not left out. It is asked only where tests are.
 */
export function newForm({ call, response }: NewResult, written: () => readonly SeenCall[]): string | undefined {
  const pruned = (earlier: readonly SeenCall[]): DensityResult => {
    const history: IContent[] = [...earlier.map(entryOf), { speaker: 'ai', blocks: [call] }];
    return optimizePlainly([...history, { speaker: 'tool', blocks: [response] }], CONFIG, { vocabulary: claudeCode });
  };
  const found = pruned([]);
  const [shaped] = [...(leavesTestsOut(found) ? pruned(written()) : found).replacements.values()];
  const [form] = shaped?.blocks ?? [];
  return form?.type === 'tool_response' && typeof form.result === 'string' ? form.result : undefined;
}

const entryOf = ({ id, name, input }: SeenCall): IContent => ({
  speaker: 'ai',
  blocks: [{ type: 'tool_call', id, name, parameters: input }],
});

const leavesTestsOut = ({ edits = [] }: DensityResult): boolean =>
  edits.some(({ reason }) => reason.rule === 'shaped' && reason.shapers.includes('passingTests'));
