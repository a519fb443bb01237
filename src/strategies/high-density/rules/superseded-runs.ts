import type { ToolCallBlock } from '../../../content/content.ts';
import { parsedTexts } from '../../../content/files/tool-parameters.ts';
import { isRecord } from '../../../content/foreign-value.ts';
import { PRUNED_RESULT } from '../../../content/pruned-result.ts';
import { callRole } from '../../../content/tools/call-role.ts';
import { toolDefinition } from '../../../content/tools/tool-definition.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { CallPlace } from '../../reasons/call-place.ts';
import type { DensityRow } from '../../settings/density-row.ts';
import { type FileCall, placeOfCall } from './file-call.ts';
import type { Draft, PruningRule, RuleContext } from './rule.ts';
import { isLong } from './sent-calls.ts';

const SETTINGS = [
  {
    key: 'compression.density.supersededRuns',
    flag: '--superseded-runs <on|off>',
    type: 'boolean',
    default: false,
    help: 'Replace the result of a shell command that shows no files by a marker, once the same command succeeded again in the same folder and printed at least half as much.',
  },
] as const satisfies readonly DensityRow[];

/** The command of `call` succeeded `again`. */
export interface SupersededRun {
  readonly rule: 'supersededRun';
  readonly call: CallPlace;
  readonly again: CallPlace;
}

export const supersededRuns = {
  settings: SETTINGS,
  reasons: {
    supersededRun: {
      counter: 'repeats',
      certificate: {
        what: 'result of a command that was run again later',
        page: 'superseded run',
        terminal: 'run again',
      },
      sentence: ({ again }, { call }) => `the same command was run again by ${call(again)}`,
    },
  },
  isOn: ({ rules }) => rules.supersededRuns,
  prune: replaceSupersededRuns,
} as const satisfies PruningRule<SupersededRun, typeof SETTINGS>;

/** A later run that says much less, such as "up to date", does not take the place of an earlier one. */
const MIN_LENGTH_RATIO = 0.5;
/** Parameters that do not change what a command prints. */
const BESIDE_THE_COMMAND = new Set(['description', 'timeout', 'timeout_ms', 'yield_time_ms']);

interface Run {
  readonly call: FileCall;
  readonly chars: number;
}

/** Linear in calls and their parameters. */
function replaceSupersededRuns(
  draft: Draft<SupersededRun>,
  { inForce, vocabulary, calls }: RuleContext<{ readonly supersededRuns: boolean }>,
): void {
  const next = new Map<string, Run>();
  /** Calls after the current one that may have changed the folder of the shell. */
  let moves = 0;
  for (const call of calls.toReversed()) {
    if (callRole(vocabulary, call.call) !== 'shell') continue;
    const script = scriptOf(call.call, vocabulary);
    const movesShell = script.keepsDirectory && /\bcd\b|\bpushd\b|\bpopd\b/.test(script.text);
    if (movesShell) moves++;
    if (call.readKeys.length > 0 || call.writeKeys.length > 0 || inForce.protection.coversCall(call)) continue;
    const startsAnywhere = !script.keepsDirectory || /^\s*cd \//.test(script.text);
    const key = `${startsAnywhere ? '' : moves} ${requestOf(call.call)}`;
    const again = next.get(key);
    let chars = 0;
    for (const { entry, block, response } of call.responses) {
      if (typeof response.result !== 'string') continue;
      chars += response.result.length;
      if (again === undefined || again.chars < MIN_LENGTH_RATIO * response.result.length) continue;
      const left = draft.blockAt(entry, block);
      if (left?.type !== 'tool_response' || !isLong(left.result)) continue;
      const reason = { rule: 'supersededRun', call: placeOfCall(call), again: placeOfCall(again.call) } as const;
      draft.replaceBlock(entry, block, { by: { ...response, result: PRUNED_RESULT }, reason });
    }
    const succeeded = call.responses.length > 0 && call.responses.every((one) => !one.isFailure && !one.isPruned);
    if (succeeded) next.set(key, { call, chars });
  }
}

function scriptOf(call: ToolCallBlock, vocabulary: ToolVocabulary): { text: string; keepsDirectory: boolean } {
  const definition = toolDefinition(vocabulary, call);
  const texts = definition === undefined ? [] : parsedTexts(definition, call.parameters);
  const text = texts.map((one) => (typeof one === 'string' ? one : one.join(' '))).join('\n');
  return { text, keepsDirectory: definition?.keepsDirectory === true };
}

/** What a call asks for; a call that cannot be written down is like no other. */
function requestOf({ id, name, parameters }: ToolCallBlock): string {
  try {
    const asked = isRecord(parameters)
      ? Object.fromEntries(Object.entries(parameters).filter(([key]) => !BESIDE_THE_COMMAND.has(key)))
      : parameters;
    return `${name} ${JSON.stringify(asked)}`;
  } catch {
    return `${name} ${id}`;
  }
}
