import { createHash } from 'node:crypto';
import { type Fields, recordsOf } from '../../content/foreign-value.ts';
import { checkItemPairs, ITEM_CALL, inputError } from '../../lab/lint/rules/openai-requests.ts';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { ApiContext, Prompt, Said } from '../contract.ts';
import type { PartReader } from '../part-reader.ts';
import { type Api, inputTokens } from './api.ts';
import { argumentsText, constantParts, openaiWire } from './openai.ts';

export const previousNotFound = (previous: unknown): RuleBroken =>
  new RuleBroken(`Previous response with id '${previous}' not found.`, {
    parameter: 'previous_response_id',
    code: 'previous_response_not_found',
  });

/** The items of a request. @throws RuleBroken for one that refers to what this provider does not store. */
function itemsOf(body: Fields): readonly Fields[] {
  const previous = body['previous_response_id'];
  if (typeof previous === 'string') throw previousNotFound(previous);
  const { input } = body;
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : recordsOf(input);
}

/** OpenAI's Responses API, for clients that send the whole history (`store: false`). */
export function openaiResponsesApi(reader: PartReader): Api {
  /** The text that a reasoning item seals, by its sealed form, and the reasoning that each item belongs to. */
  const sealed = new Set<string>();
  const reasoningOf = new Map<string, string>();
  let minted = 0;

  const mint = (kind: string): string =>
    `${kind}_${createHash('sha256').update(`item ${minted++}`).digest('hex').slice(0, 32)}`;

  /**
   * Reasoning stands before the item that was made with it.
   * Source: https://github.com/continuedev/continue/issues/8933, https://github.com/continuedev/continue/issues/12620
   */
  function checkReasoning(items: readonly Fields[]): void {
    const ids = new Set(items.map(({ id }) => id));
    for (const [at, item] of items.entries()) {
      const id = String(item['id']);
      const required = reasoningOf.get(id);
      if (required !== undefined && !ids.has(required)) {
        throw inputError(
          `Item '${id}' of type '${item['type']}' was provided without its required 'reasoning' item: '${required}'.`,
        );
      }
      if (item['type'] !== 'reasoning' && item['type'] !== 'compaction') continue;
      const content = item['encrypted_content'];
      if (typeof content !== 'string') {
        throw inputError(
          `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        );
      }
      if (!sealed.has(content)) {
        throw inputError(
          `The encrypted content ${content.slice(0, 8)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
          'invalid_encrypted_content',
        );
      }
      if (item['type'] === 'compaction') continue;
      const next = items[at + 1];
      const isFollowed =
        next !== undefined &&
        (next['role'] === 'assistant' || ITEM_CALL.test(String(next['type'])) || next['type'] === 'reasoning');
      if (!isFollowed)
        throw inputError(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
    }
  }

  function read(body: Fields, { family, isCount }: ApiContext): Prompt {
    const items = itemsOf(body);
    const trigger = items.findIndex(({ type }) => type === 'compaction_trigger');
    const isCompaction = trigger !== -1;
    if (isCompaction && trigger < items.length - 1)
      throw inputError('`compaction_trigger` must be the final input item.');
    // Codex warms up with its tools and instructions alone.
    // Source: https://github.com/openai/codex/blob/051b72c3701c9d8fefac7b7a965b6ae7eff2672c/codex-rs/core/src/session_startup_prewarm.rs
    if (items.length === 0 && !isCount)
      throw inputError("One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.");
    checkItemPairs(items);
    checkReasoning(items);
    const parts = reader.partsOf([...constantParts(body), ...items], family);
    return { parts, dropped: [], answer: isCompaction ? compacted : answer };
  }

  /**
   * All items, sealed in one, whatever the model says.
   * Source: `CompactionTriggerItemParam` and `CompactionBody` of https://github.com/openai/openai-openapi
   */
  function compacted(): readonly unknown[] {
    const encrypted_content = `gAAAA${createHash('sha512').update(`compaction ${minted}`).digest('base64')}`;
    sealed.add(encrypted_content);
    return [{ type: 'compaction', id: mint('cmp'), encrypted_content }];
  }

  function answer({ thinking, text, calls = [] }: Said): readonly unknown[] {
    const items: Fields[] = [];
    if (thinking !== undefined) {
      const encrypted_content = `gAAAA${createHash('sha512').update(`${thinking}${minted}`).digest('base64')}`;
      sealed.add(encrypted_content);
      items.push({ type: 'reasoning', id: mint('rs'), summary: [], encrypted_content });
    }
    const reasoning = items[0]?.['id'] as string | undefined;
    const add = (item: Fields, kind: string): void => {
      const id = mint(kind);
      if (reasoning !== undefined && items.length === 1) reasoningOf.set(id, reasoning);
      items.push({ id, ...item });
    };
    if ((text !== undefined && text !== '') || calls.length === 0) {
      const content = [{ type: 'output_text', text: text ?? '', annotations: [] }];
      add({ type: 'message', role: 'assistant', status: 'completed', content }, 'msg');
    }
    for (const { id, name, namespace, input } of calls) {
      const call = { call_id: id, name, ...(namespace !== undefined && { namespace }), status: 'completed' };
      if (typeof input === 'string') add({ type: 'custom_tool_call', ...call, input }, 'ctc');
      else add({ type: 'function_call', ...call, arguments: argumentsText(input) }, 'fc');
    }
    return items;
  }

  return { ...openaiWire, read, write };
}

const write: Api['write'] = (output, { model, id, tokens }) => {
  const input_tokens = inputTokens(tokens);
  const usage = {
    input_tokens,
    input_tokens_details: {
      cached_tokens: tokens.read,
      ...(tokens.written > 0 && { cache_write_tokens: tokens.written }),
    },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + tokens.output,
  };
  const head = { id: `resp_${id}`, object: 'response', created_at: 0, model };
  const body = { ...head, status: 'completed', output, usage };
  const event = (data: Fields): { event: string; data: Fields } => ({ event: String(data['type']), data });
  return {
    body,
    events: [
      event({ type: 'response.created', response: { ...head, status: 'in_progress', output: [] } }),
      ...output.flatMap((item, output_index) => [
        event({ type: 'response.output_item.added', output_index, item }),
        event({ type: 'response.output_item.done', output_index, item }),
      ]),
      event({ type: 'response.completed', response: body }),
    ],
  };
};
