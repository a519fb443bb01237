import type { ContentBlock, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { asText, type Fields as Event, isRecord } from '../../content/foreign-value.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import type { RecordedFacts } from '../blocks/entry-metadata.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { Message } from '../messages/message-list.ts';
import { callsOf, chatUsage, contentText } from '../openai-chat/message.ts';

/** Fields of an action that the model did not write: the agent's own, and the envelope of early versions. */
const NOT_PARAMETERS = new Set(
  (
    'id timestamp source message action cause llm_metrics tool_call_metadata thought blocking hidden is_static cwd ' +
    'confirmation_state security_risk keep_prompt is_confirmed action_risk kernel_init_code timeout background'
  ).split(' '),
);

const metadataOf = (event: Event): Event | undefined =>
  isRecord(event['tool_call_metadata']) ? event['tool_call_metadata'] : undefined;

/** The arguments of an event: `args`, or in early versions the event itself. */
export const argumentsIn = (event: Event): Event => (isRecord(event['args']) ? event['args'] : event);

/** The recorded answer of the model for an action. */
function answerOf(event: Event): { message?: Message; response?: Event } {
  const response = metadataOf(event)?.['model_response'];
  if (!isRecord(response)) return {};
  const choices = response['choices'];
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isRecord(choice) ? choice['message'] : undefined;
  return { response, ...(isRecord(message) && { message }) };
}

/** The call of an action: as in the recorded answer, or else from the fields of the action. */
export function callOf(event: Event, fallbackId: string): ToolCallBlock {
  const recorded = metadataOf(event);
  const id = asText(recorded?.['tool_call_id']) || fallbackId;
  const name = asText(recorded?.['function_name']) || asText(event['action']);
  const written = callsOf(answerOf(event).message ?? {}).find((call) => call.id === id);
  const parameters =
    written?.parameters ??
    Object.fromEntries(
      Object.entries(argumentsIn(event)).filter(
        ([key, value]) => !NOT_PARAMETERS.has(key) && value !== null && value !== '' && value !== false,
      ),
    );
  return { type: 'tool_call', id, name, parameters };
}

/** The facts about the model call of an event. */
export function factsOf(event: Event): RecordedFacts {
  const { response } = answerOf(event);
  // Times have microseconds and no zone; they count as UTC on any computer.
  const [time = ''] = /^[\d-]+T[\d:]+(?:\.\d{1,3})?/.exec(asText(event['timestamp'])) ?? [];
  const usage = chatUsage(response?.['usage']);
  const model = asText(response?.['model']);
  return { timestamp: `${time}Z`, usage, model: model === '' ? undefined : model };
}

/** The text and images of a message or a thought. */
export function wordsOf(event: Event): ContentBlock[] {
  const given = argumentsIn(event);
  const text = asText(given['content']) || asText(given['final_thought']) || asText(given['thought']);
  const thought = text === asText(given['thought']) ? '' : asText(given['thought']);
  const texts = [thought, text].filter((words) => words.trim() !== '');
  const urls = [given['image_urls'], given['images_urls']].flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...texts.map((words): ContentBlock => ({ type: 'text', text: words })),
    ...urls.flatMap((url) => (typeof url === 'string' ? mediaOfUrl(url) : [])),
  ];
}

/** The error and the result of a failed result: its first line, and the rest. */
function splitFailure(text: string): { error: string; result: string } {
  const [error = ''] = text.split('\n', 1);
  return { error: error || 'error', result: text.slice(error.length + 1) };
}

/** The result of an observation. It is a failure if the event is an error, a rejection, or has a non-zero exit code. */
export function resultOf(event: Event, call: ToolCallBlock): ToolResponseBlock {
  const extras = isRecord(event['extras']) ? event['extras'] : {};
  const shell = isRecord(extras['metadata']) ? extras['metadata'] : {};
  const text = `${asText(shell['prefix'])}${contentText(event['content'])}${asText(shell['suffix'])}`;
  if (event['observation'] === 'error' || event['observation'] === 'user_rejected')
    return responseBlock(call.id, call.name, splitFailure(text));
  const code = shell['exit_code'] ?? extras['exit_code'] ?? event['exit_code'];
  // -1 means that the command is still running.
  const error = typeof code === 'number' && code > 0 ? `exit code ${code}` : undefined;
  return responseBlock(call.id, call.name, { result: text, error });
}

/** The text of a `recall`: instructions of the repository and knowledge of microagents. */
export function recalledText(event: Event): string {
  const extras = isRecord(event['extras']) ? event['extras'] : {};
  const knowledge = Array.isArray(extras['microagent_knowledge']) ? extras['microagent_knowledge'] : [];
  return [
    extras['repo_instructions'],
    extras['additional_agent_instructions'],
    extras['conversation_instructions'],
    ...knowledge.map((item) => (isRecord(item) ? item['content'] : undefined)),
  ]
    .map(asText)
    .filter((text) => text.trim() !== '')
    .join('\n');
}
