import { type Fields, isRecord, recordsOf } from '../../content/foreign-value.ts';
import { checkPairs, checkServerCalls, messagesOf } from '../../lab/lint/rules/anthropic-request.ts';
import { CacheMarks } from '../../lab/lint/rules/cache-marks.ts';
import { checkEmptyAnswer } from '../../lab/lint/rules/empty-answer.ts';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { ApiContext, Prompt, PromptPart, Said } from '../contract.ts';
import { PrefixNode } from '../meter.ts';
import { rulesOfModel } from '../models.ts';
import type { PartReader } from '../part-reader.ts';
import { anthropicAnswer, anthropicWire } from './anthropic-answer.ts';
import type { Api } from './api.ts';
import { BINDING_BETA, BoundThinking } from './bound-thinking.ts';
import { type PromptLevels, withRenderedSettings } from './rendered-settings.ts';
import { TurnThinking } from './turn-thinking.ts';

/** The text of thinking, whole or sealed. */
const thinkingText = (block: Fields): string => String(block['thinking'] ?? block['data'] ?? '');

/** Anthropic's Messages API. */
export function anthropicApi(reader: PartReader): Api {
  const bound = new BoundThinking();
  const turns = new TurnThinking();
  const root = new PrefixNode();

  function read(body: Fields, { model, family, account, accountCreatedAt, betas, isCount }: ApiContext): Prompt {
    const marks = new CacheMarks();
    const levels: PromptLevels = { tools: [], system: [], messages: [] };
    let prefix = root.after(account);
    const add = (part: Fields, place: string, role: string): void => {
      const key = `${role} ${reader.keyOf(part)}`;
      const level = place.slice(0, place.indexOf('.')) as keyof PromptLevels;
      levels[level].push({ key, tokens: reader.tokensOf(part, family), mark: marks.of(part, place) });
      if (!isThinking(part)) prefix = prefix.after(key);
    };
    const messages = messagesOf(body['messages']);
    const thinking = isRecord(body['thinking']) ? body['thinking'] : {};
    const isSilent = thinking['type'] === 'disabled';
    const binding = isRecord(thinking['block_binding']) ? thinking['block_binding'] : {};
    if ('block_binding' in thinking && !betas.includes(BINDING_BETA)) {
      throw new RuleBroken('thinking.block_binding: Extra inputs are not permitted');
    }
    if (!isCount) checkAnswerLength(body, betas);
    const check = bound.checkOf({ model, accountCreatedAt, betas, behavior: binding['prefix_mismatch_behavior'] });
    for (const [at, tool] of recordsOf(body['tools']).entries()) add(tool, `tools.${at}`, 'tool');
    const { system } = body;
    const systemBlocks = typeof system === 'string' ? [{ type: 'text', text: system }] : recordsOf(system);
    for (const [at, block] of systemBlocks.entries()) add(block, `system.${at}`, 'system');
    checkPairs(messages);
    checkServerCalls(messages);
    if (!isSilent && rulesOfModel(model).bindsThinking !== true) turns.check(messages);
    for (const { role, blocks } of messages) {
      for (const { block, place } of blocks) {
        if (!isThinking(block)) add(block, place, role);
        else {
          marks.of(block, place);
          const signature = block['type'] === 'thinking' ? block['signature'] : block['data'];
          if (check.accepts(signature, { text: thinkingText(block), prefix, place })) add(block, place, role);
        }
      }
    }
    const parts = withRenderedSettings(levels, body, model);
    if (isRecord(body['cache_control']))
      markLast(parts, marks.of({ cache_control: body['cache_control'] }, 'messages'));
    marks.end();
    const answer = (said: Said): readonly unknown[] => {
      const { previous } = check;
      const told = isSilent ? withoutThinking(said) : said;
      const [message] = anthropicAnswer(told, (text) => bound.sign({ model, text, prefix, previous }));
      turns.given(message!);
      return [message];
    };
    const last = messages.findLast(({ role }) => role === 'user');
    const followsTool = last?.blocks.some(({ block }) => block['type'] === 'tool_result') ?? false;
    return { parts, dropped: check.dropped, followsTool, answer };
  }

  return { read, ...anthropicWire };
}

const isThinking = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking';

const withoutThinking = ({ thinking: _, ...said }: Said): Said => said;

/** With it, a budget of thinking is that of a whole turn. */
const INTERLEAVED_BETA = 'interleaved-thinking-2025-05-14';

/** Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#budget-rules-and-tuning @throws RuleBroken */
function checkAnswerLength(body: Fields, betas: readonly string[]): void {
  checkEmptyAnswer(body);
  const { max_tokens: most, thinking } = body;
  const { type, budget_tokens: budget } = isRecord(thinking) ? thinking : {};
  if (type !== 'enabled' || betas.includes(INTERLEAVED_BETA)) return;
  if (typeof most === 'number' && typeof budget === 'number' && most <= budget)
    throw new RuleBroken(
      '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
    );
}

/** A mark on the whole request stands on its last part. */
function markLast(parts: PromptPart[], mark: PromptPart['mark']): void {
  const last = parts.pop();
  if (last) parts.push({ ...last, mark: last.mark ?? mark });
}
