import { type Fields, isRecord, recordsOf } from '../../content/foreign-value.ts';
import type { PromptPart } from '../contract.ts';

/** The parts of a prompt by the level of the cache to which they belong. */
export interface PromptLevels {
  readonly tools: PromptPart[];
  readonly system: PromptPart[];
  readonly messages: PromptPart[];
}

/** Models that think unless a request says otherwise; of the 5.5 it is assumed. Source: https://platform.claude.com/docs/en/build-with-claude/thinking */
const THINKS_BY_DEFAULT = /(?:opus|sonnet|haiku|fable|mythos)-5/;
/**
 * The effort if a request names none.
 * Source: https://platform.claude.com/docs/en/build-with-claude/effort; of Opus 5.5,
 * https://platform.claude.com/docs/en/about-claude/models/optimizing-for-cost-and-intelligence
 */
const effortByDefault = (model: string): string => (model.includes('opus-5-5') ? 'medium' : 'high');

/**
 * All parts in the order of the prompt. A parameter that the vendor writes into the prompt is a part of the keys behind it, so that a change
 * of it loses that level of the cache and those behind it. That thinking and effort stand before the messages is assumed: on some models
 * they stand before the tools.
 * Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching#what-invalidates-the-cache
 */
export function withRenderedSettings(levels: PromptLevels, body: Fields, model: string): PromptPart[] {
  const output = isRecord(body['output_config']) ? body['output_config'] : {};
  const given = isRecord(body['thinking']) ? body['thinking'] : {};
  const { type = THINKS_BY_DEFAULT.test(model) ? 'adaptive' : 'disabled', budget_tokens: budget } = given;
  const { effort = effortByDefault(model), format } = output;
  const rendered: readonly (readonly [PromptPart[], Fields])[] = [
    // Source: https://platform.claude.com/docs/en/build-with-claude/structured-outputs
    [levels.tools, { format }],
    [levels.system, { speed: body['speed'] ?? 'standard' }],
    [
      levels.messages,
      {
        choice: body['tool_choice'] ?? { type: 'auto' },
        hasImages: recordsOf(body['messages']).some(({ content }) => hasImage(content)),
        thinking: [type, budget],
        effort,
      },
    ],
  ];
  let setting = '';
  return rendered.flatMap(([parts, fields]) => {
    setting += JSON.stringify(fields);
    const [first, ...others] = parts;
    if (first === undefined) return [];
    const key = `${setting} ${first.key}`;
    setting = '';
    return [{ ...first, key }, ...others];
  });
}

/** True if there is a picture in this content, also in that of a result. */
const hasImage = (content: unknown): boolean =>
  recordsOf(content).some(({ type, content: inner }) => type === 'image' || hasImage(inner));
