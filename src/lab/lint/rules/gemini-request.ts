import { type Fields, isRecord, recordsOf } from '../../../content/foreign-value.ts';
import { RuleBroken } from './rule-broken.ts';

const AFTER_CALLS =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

export interface Turn {
  readonly isModel: boolean;
  readonly parts: readonly Fields[];
  readonly calls: readonly Fields[];
  readonly responses: number;
}

/** The contents as turns, those of one role joined. */
export function turnsOf(contents: readonly Fields[]): Turn[] {
  const turns: Turn[] = [];
  for (const content of contents) {
    const isModel = content['role'] === 'model';
    const last = turns.at(-1);
    const parts = [...(last?.isModel === isModel ? (turns.pop() as Turn).parts : []), ...recordsOf(content['parts'])];
    const calls = parts.filter((part) => isRecord(part['functionCall']));
    turns.push({ isModel, parts, calls, responses: parts.filter((part) => isRecord(part['functionResponse'])).length });
  }
  return turns;
}

/**
 * Each turn of calls follows a turn of the user, and its responses follow at once, as many as calls.
 * Source: https://github.com/continuedev/continue/issues/9562, https://github.com/google-gemini/gemini-cli/issues/26486
 * @throws RuleBroken
 */
export function checkTurns(turns: readonly Turn[]): void {
  for (const [at, { isModel, parts, calls, responses }] of turns.entries()) {
    if (parts.length === 0)
      throw new RuleBroken(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`);
    const before = turns[at - 1];
    if (isModel && calls.length > 0 && before === undefined) {
      throw new RuleBroken(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
    if (isModel) continue;
    const open = before?.calls.length ?? 0;
    if (responses > 0 && open === 0) {
      throw new RuleBroken('Please ensure that function response turn comes immediately after a function call turn.');
    }
    if (responses !== open) throw new RuleBroken(AFTER_CALLS);
  }
}

/**
 * The calls that carry a signature: the first of each step since the last words of the user.
 * Source: https://ai.google.dev/gemini-api/docs/thought-signatures, https://github.com/lbjlaq/Antigravity-Manager/issues/3202
 */
export function signedCalls(turns: readonly Turn[]): { name: unknown; place: number; signature: unknown }[] {
  const start = turns.findLastIndex(({ isModel, responses }) => !isModel && responses === 0);
  return turns.flatMap(({ isModel, parts, calls: [first] }, at) => {
    if (at < start || !isModel || first === undefined) return [];
    const { name } = first['functionCall'] as Fields;
    return [{ name, place: parts.indexOf(first) + 1, signature: first['thoughtSignature'] }];
  });
}

/** For models that need signatures. @throws RuleBroken for a call that has none. */
export function checkSigned(turns: readonly Turn[]): void {
  const missing = signedCalls(turns).find(({ signature }) => signature === undefined);
  if (missing)
    throw new RuleBroken(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${missing.name}\`, position ${missing.place}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
}
