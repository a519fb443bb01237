import { createHash } from 'node:crypto';
import { type Fields, isRecord, recordsOf } from '../../content/foreign-value.ts';
import { checkSigned, checkTurns, signedCalls, type Turn, turnsOf } from '../../lab/lint/rules/gemini-request.ts';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { ApiContext, Prompt, Said } from '../contract.ts';
import { rulesOfModel } from '../models.ts';
import type { PartReader } from '../part-reader.ts';
import { type Api, inputTokens } from './api.ts';

/** Accepted in place of a signature. Source: https://ai.google.dev/gemini-api/docs/thought-signatures */
const SKIPPED_SIGNATURE = 'skip_thought_signature_validator';
/** Google's generateContent. */
export function geminiApi(reader: PartReader): Api {
  const signatures = new Set<string>();

  /** @throws RuleBroken for a signature that this provider did not give. */
  function checkSignatures(turns: readonly Turn[]): void {
    for (const { signature } of signedCalls(turns))
      if (signature !== SKIPPED_SIGNATURE && !signatures.has(String(signature)))
        throw new RuleBroken('Thought signature is not valid.');
  }

  function read(body: Fields, { model, family }: ApiContext): Prompt {
    const contents = recordsOf(body['contents']);
    if (contents.length === 0) throw new RuleBroken('* GenerateContentRequest.contents: contents is not specified');
    const turns = turnsOf(contents);
    checkTurns(turns);
    if (rulesOfModel(model).needsSignatures) {
      checkSigned(turns);
      checkSignatures(turns);
    }
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
