import type { IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { claudeCode } from '../content/vocabularies/claude-code.ts';
import { codex } from '../content/vocabularies/codex.ts';
import { RECOMMENDED_CONFIG } from '../live/turn/recommended-config.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { optimizePlainly } from '../strategies/high-density/optimize-plainly.ts';
import { SHAPER_NAMES } from '../strategies/high-density/shapers/shaper.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
import type { DensityRules } from '../strategies/settings/rule-settings.ts';
import type { SeenCall } from './seen-calls.ts';

/** Some rules of `recommended`, and no others: a hook cannot change what was sent. */
const configOf = (rules: readonly (keyof DensityRules)[]): GivenDensityConfig => ({
  readWritePruning: false,
  fileDedupe: false,
  recencyPruning: false,
  rules: Object.fromEntries(rules.map((name) => [name, RECOMMENDED_CONFIG.rules?.[name]])),
});

/** Claude Code numbers the lines of a read after the hook. */
const SHAPERS_IN_HOOK = SHAPER_NAMES.filter((name) => name !== 'tenthLineNumbers');

/** What of "New text" each agent gets. Source: docs/strategies.md. */
const CLAUDE_CODE = { vocabulary: claudeCode, config: configOf(['repeatedLines', ...SHAPERS_IN_HOOK]) };
const CODEX = { vocabulary: codex, config: configOf(['repeatedLines']) };

/** A call, its result, which is a text, and earlier calls that the model sees and that may show the same lines. */
export interface NewResult {
  readonly call: ToolCallBlock;
  readonly response: ToolResponseBlock;
  readonly earlier: readonly SeenCall[];
  readonly isOfCodex: boolean;
}

/**
 * The form of a new result; `undefined`: it has none. `written` gives all calls that the model sees, among them those that wrote files:
 * their tests are not left out. It is asked only where tests are.
 */
export function newForm(
  { call, response, earlier, isOfCodex }: NewResult,
  written: () => readonly SeenCall[],
): string | undefined {
  const { vocabulary, config } = isOfCodex ? CODEX : CLAUDE_CODE;
  const pruned = (seen: readonly SeenCall[]): DensityResult => {
    const history: IContent[] = [...seen.flatMap(entriesOf), { speaker: 'ai', blocks: [call] }];
    return optimizePlainly([...history, { speaker: 'tool', blocks: [response] }], config, { vocabulary });
  };
  const found = pruned(earlier);
  const [shaped] = [...(leavesTestsOut(found) ? pruned(together(written(), earlier)) : found).replacements.values()];
  const [form] = shaped?.blocks ?? [];
  return form?.type === 'tool_response' && typeof form.result === 'string' ? form.result : undefined;
}

function entriesOf({ id, name, input, result }: SeenCall): readonly IContent[] {
  const call: IContent = { speaker: 'ai', blocks: [{ type: 'tool_call', id, name, parameters: input }] };
  if (result === undefined) return [call];
  return [call, { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: name, result }] }];
}

/** All calls, some of them with their results. */
function together(all: readonly SeenCall[], some: readonly SeenCall[]): readonly SeenCall[] {
  const known = new Map(some.map((call) => [call.id, call]));
  return all.map((call) => known.get(call.id) ?? call);
}

const leavesTestsOut = ({ edits = [] }: DensityResult): boolean =>
  edits.some(({ reason }) => reason.rule === 'shaped' && reason.shapers.includes('passingTests'));
