import { type Fields, isRecord } from '../../../content/foreign-value.ts';
import { RuleBroken } from './rule-broken.ts';

/**
 * A request for no token, which only fills the prompt cache, must not ask for anything that needs one. The vendor lists the cases, and says
 * that the answer is an `invalid_request_error`; its words are not known.
 * Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching#limitations; for `compaction`,
 * https://platform.claude.com/docs/en/about-claude/models/optimizing-for-cost-and-intelligence
 * @throws RuleBroken
 */
export function checkEmptyAnswer(body: Fields): void {
  if (body['max_tokens'] !== 0) return;
  const of = (key: string): Fields => (isRecord(body[key]) ? body[key] : {});
  const choice = of('tool_choice')['type'];
  const broken = [
    body['stream'] === true && '`stream: true`',
    of('thinking')['type'] === 'enabled' && '`thinking.type: "enabled"`',
    isRecord(of('output_config')['format']) && '`output_config.format`',
    (choice === 'any' || choice === 'tool') && `\`tool_choice.type: "${choice}"\``,
    isRecord(body['compaction']) && '`compaction`',
  ].find((parameter) => parameter !== false);
  if (broken !== undefined) throw new RuleBroken(`max_tokens: \`max_tokens: 0\` cannot be combined with ${broken}.`);
}
