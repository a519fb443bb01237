import type { BilledBeside } from '../../content/content.ts';
import { isRecord, jsonFields } from '../../content/foreign-value.ts';
import { besideOf } from '../../formats/usage/anthropic-beside.ts';
import type { LiveApi } from '../../live/contract.ts';
import type { ReportedUsage } from '../contract.ts';
import { TOOL_WAITS } from './tool-wait.ts';

/** What an answer says; what it does not say, or cannot be read, is absent. */
export interface AnswerFacts {
  readonly usage?: ReportedUsage;
  readonly model?: string;
  readonly error?: string;
  /** True if the provider dropped thinking that is bound to what stood before it. */
  readonly isBound?: boolean;
  /** True if the answer is no end of the turn: it calls a tool of the agent, which asks again without its user. */
  readonly isToolWait?: boolean;
  /** True if the provider refused to answer what was asked. */
  readonly isRefusal?: boolean;
}

const numberOf = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** `known`: what earlier events of the answer said. */
type ReadUsage = (event: Record<string, unknown>, known?: ReportedUsage) => Partial<ReportedUsage> | undefined;

/** Usage as the APIs of OpenAI write it, by the names of its counts. */
function openaiUsage(prompt: string, output: string): ReadUsage {
  return (event) => {
    const answer = recordOf(event['response'] ?? event);
    const usage = recordOf(answer['usage']);
    if (usage[prompt] === undefined) return undefined;
    const details = recordOf(usage[`${prompt}_details`]);
    return {
      promptTokens: numberOf(usage[prompt]),
      cachedTokens: numberOf(details['cached_tokens']),
      writtenTokens: numberOf(details['cache_write_tokens']),
      outputTokens: numberOf(usage[output]),
      ...openaiBeside(answer),
    };
  };
}

const STANDARD_TIERS = new Set(['auto', 'default', 'standard']);

/** How OpenAI served an answer, and how often it searched the web for it. */
function openaiBeside({ service_tier: tier, output }: Record<string, unknown>): BilledBeside {
  const isOther = typeof tier === 'string' && tier !== '' && !STANDARD_TIERS.has(tier);
  const items = Array.isArray(output) ? output.map(recordOf) : [];
  const searches = items.filter(({ type }) => type === 'web_search_call').length;
  return { ...(isOther && { service: tier }), ...(searches > 0 && { toolUses: { web_search: searches } }) };
}

const NOTHING: ReportedUsage = {
  promptTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  writtenHourTokens: 0,
  outputTokens: 0,
};

/** The counts of a prompt, by the names that Anthropic gives them. */
const promptCounts = ({ promptTokens, cachedTokens, ...written }: ReportedUsage): Record<string, number> => {
  const writtenTokens = written.writtenTokens + written.writtenHourTokens;
  return {
    input_tokens: promptTokens - cachedTokens - writtenTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: writtenTokens,
  };
};

/** Usage as each API writes it; later events of a stream add to or replace earlier ones. */
const READERS: Readonly<Record<LiveApi, ReadUsage>> = {
  'anthropic-messages': (event, known = NOTHING) => {
    const message = recordOf(event['message']);
    const usage = recordOf(message['usage'] ?? event['usage']);
    const output = numberOf(usage['output_tokens']);
    if (usage['input_tokens'] === undefined || usage['input_tokens'] === null) {
      return usage['output_tokens'] === undefined
        ? undefined
        : { outputTokens: output, ...besideOf({ ...promptCounts(known), ...usage }) };
    }
    const cachedTokens = numberOf(usage['cache_read_input_tokens']);
    const written = numberOf(usage['cache_creation_input_tokens']);
    const writtenHourTokens = numberOf(recordOf(usage['cache_creation'])['ephemeral_1h_input_tokens']);
    return {
      promptTokens: numberOf(usage['input_tokens']) + cachedTokens + written,
      cachedTokens,
      writtenTokens: written - writtenHourTokens,
      writtenHourTokens,
      outputTokens: output,
      ...besideOf(usage),
    };
  },
  'openai-responses': openaiUsage('input_tokens', 'output_tokens'),
  'openai-chat': openaiUsage('prompt_tokens', 'completion_tokens'),
  'gemini-api': (event) => {
    // Code Assist has the answer in `response`.
    const usage = recordOf(recordOf(event['response'] ?? event)['usageMetadata']);
    if (usage['promptTokenCount'] === undefined) return undefined;
    return {
      promptTokens: numberOf(usage['promptTokenCount']),
      cachedTokens: numberOf(usage['cachedContentTokenCount']),
      outputTokens: numberOf(usage['candidatesTokenCount']) + numberOf(usage['thoughtsTokenCount']),
    };
  },
};

/** The model that answers, in the places where the four APIs name it. */
function modelOf(event: Record<string, unknown>): string | undefined {
  const { message, response } = event;
  const inner = recordOf(response);
  const places = [
    event['model'],
    event['modelVersion'],
    recordOf(message)['model'],
    inner['model'],
    inner['modelVersion'],
  ];
  return places.find((name): name is string => typeof name === 'string' && name !== '');
}

/**
 * True if thinking was dropped because the prompt before it changed, and not because another model wrote it.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
function bindsThinking(event: Record<string, unknown>): boolean {
  const { input_transformations: changes } = { ...event, ...recordOf(event['message']) };
  if (!Array.isArray(changes)) return false;
  return changes
    .map(recordOf)
    .some(({ type, reason }) => type === 'thinking_dropped' && reason !== 'model_binding_mismatch');
}

/** Source: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const saysRefusal = (event: Record<string, unknown>): boolean =>
  (recordOf(event['delta'])['stop_reason'] ?? event['stop_reason']) === 'refusal';

/** What was known of an answer, with what an event of it says, or all of one that is no stream. */
export function factsWith(facts: AnswerFacts, api: LiveApi, text: string | Buffer): AnswerFacts {
  // `[DONE]`, or text that is not an answer, says nothing.
  const event = jsonFields(text) ?? {};
  const usage = READERS[api](event, facts.usage);
  const model = modelOf(event);
  const { message: error } = recordOf(event['error']);
  return {
    ...facts,
    ...(usage && { usage: { ...NOTHING, ...facts.usage, ...usage } }),
    ...(model !== undefined && { model }),
    ...(typeof error === 'string' && { error }),
    ...(bindsThinking(event) && { isBound: true }),
    ...(TOOL_WAITS[api].isIn(event) && { isToolWait: true }),
    ...(saysRefusal(event) && { isRefusal: true }),
  };
}
