import { createHash } from 'node:crypto';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { type ApiContext, type Prompt, RuleBroken, type Said } from '../contract.ts';
import { rulesOfModel } from '../models.ts';
import type { PartReader } from '../part-reader.ts';
import { type Api, inputTokens, recordsOf } from './api.ts';

/** Accepted in place of a signature. Source: https://ai.google.dev/gemini-api/docs/thought-signatures */
const SKIPPED_SIGNATURE = 'skip_thought_signature_validator';
const AFTER_CALLS =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

interface Turn {
  readonly isModel: boolean;
  readonly parts: readonly Fields[];
  readonly calls: readonly Fields[];
  readonly responses: number;
}

/** The contents as turns, those of one role joined. */
function turnsOf(contents: readonly Fields[]): Turn[] {
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
function checkTurns(turns: readonly Turn[]): void {
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

/** Google's generateContent. */
export function geminiApi(reader: PartReader): Api {
  const signatures = new Set<string>();

  /**
   * The first call of each step since the last words of the user carries its signature.
   * Source: https://ai.google.dev/gemini-api/docs/thought-signatures, https://github.com/lbjlaq/Antigravity-Manager/issues/3202
   */
  function checkSignatures(turns: readonly Turn[]): void {
    const start = turns.findLastIndex(({ isModel, responses }) => !isModel && responses === 0);
    for (const [at, { isModel, parts, calls }] of turns.entries()) {
      const [first] = calls;
      if (at < start || !isModel || first === undefined) continue;
      const signature = first['thoughtSignature'];
      const { name } = first['functionCall'] as Fields;
      if (signature === undefined) {
        throw new RuleBroken(
          `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${parts.indexOf(first) + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
        );
      }
      if (signature !== SKIPPED_SIGNATURE && !signatures.has(String(signature)))
        throw new RuleBroken('Thought signature is not valid.');
    }
  }

  function read(body: Fields, { model, family }: ApiContext): Prompt {
    const contents = recordsOf(body['contents']);
    if (contents.length === 0) throw new RuleBroken('* GenerateContentRequest.contents: contents is not specified');
    const turns = turnsOf(contents);
    checkTurns(turns);
    if (rulesOfModel(model).needsSignatures) checkSignatures(turns);
    const { systemInstruction } = body;
    const constant = [...recordsOf(body['tools']), ...(isRecord(systemInstruction) ? [systemInstruction] : [])];
    const parts = reader.partsOf([...constant, ...contents], family);
    return { parts, dropped: [], answer };
  }

  function answer({ thinking, text, calls = [] }: Said): readonly unknown[] {
    const thoughtSignature = createHash('sha256').update(`${signatures.size} ${thinking}`).digest('base64');
    signatures.add(thoughtSignature);
    const words = text !== undefined && text !== '' ? [{ text }] : [];
    const made = calls.map(({ id, name, input }, at) => ({
      functionCall: { ...(id !== undefined && { id }), name, args: isRecord(input) ? input : { input } },
      ...(at === 0 && { thoughtSignature }),
    }));
    return [{ role: 'model', parts: words.length + made.length > 0 ? [...words, ...made] : [{ text: '' }] }];
  }

  return { read, ...wire };
}

const wire: Omit<Api, 'read'> = {
  write([content], { model, id, tokens }) {
    const promptTokenCount = inputTokens(tokens);
    const body = {
      candidates: [{ content, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount,
        cachedContentTokenCount: tokens.read,
        candidatesTokenCount: tokens.output,
        totalTokenCount: promptTokenCount + tokens.output,
      },
      modelVersion: model,
      responseId: id,
    };
    return { body, events: [{ data: body }] };
  },
  count: (totalTokens) => ({ totalTokens }),
  refuse: ({ message }) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  tooLong: (tokens, limit) =>
    new RuleBroken(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`),
};
