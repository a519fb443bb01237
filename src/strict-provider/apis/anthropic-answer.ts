import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { Said, ServerEvent } from '../contract.ts';
import type { Api } from './api.ts';
import { BINDING_BETA } from './bound-thinking.ts';

/** The message of an answer; `sign` gives the signature of its thinking. */
export function anthropicAnswer(
  { thinking, text, calls = [] }: Said,
  sign: (text: string) => string,
): readonly Fields[] {
  const content = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: sign(thinking) }]),
    ...(text === undefined || text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
  return [{ role: 'assistant', content }];
}

/** The events of one content block. */
function blockEvents(block: Fields, index: number): ServerEvent[] {
  const start = (content_block: Fields): ServerEvent => event({ type: 'content_block_start', index, content_block });
  const delta = (one: Fields): ServerEvent => event({ type: 'content_block_delta', index, delta: one });
  const stop = event({ type: 'content_block_stop', index });
  switch (block['type']) {
    case 'thinking': {
      const { thinking, signature } = block;
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking }),
        delta({ type: 'signature_delta', signature }),
        stop,
      ];
    }
    case 'tool_use':
      return [
        start({ ...block, input: {} }),
        delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }),
        stop,
      ];
    default:
      return [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: block['text'] }), stop];
  }
}

function deltaText(data: unknown): string {
  const { delta } = isRecord(data) ? data : {};
  const { text, thinking, partial_json: input } = isRecord(delta) ? delta : {};
  return String(text ?? thinking ?? input ?? '');
}

const event = (data: Fields): ServerEvent => ({ event: String(data['type']), data });

/** How answers and errors of the Messages API are written. */
export const anthropicWire: Omit<Api, 'read'> = {
  write([message], { model, id, tokens, dropped, betas, isCut }) {
    const { content } = message as { content: Fields[] };
    const end = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
    const stop_reason = isCut ? 'max_tokens' : end;
    const usage = {
      input_tokens: tokens.uncached,
      cache_read_input_tokens: tokens.read,
      cache_creation_input_tokens: tokens.written + tokens.writtenForAnHour,
      cache_creation: {
        ephemeral_5m_input_tokens: tokens.written,
        ephemeral_1h_input_tokens: tokens.writtenForAnHour,
      },
      output_tokens: tokens.output,
    };
    const input_transformations = dropped.map(({ place, reason }) => ({
      type: 'thinking_dropped',
      path: place,
      reason,
    }));
    const told = betas.includes(BINDING_BETA) ? { input_transformations } : {};
    const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model };
    const events = [
      event({
        type: 'message_start',
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
          ...told,
        },
      }),
      ...content.flatMap(blockEvents),
      event({
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: tokens.output },
      }),
      event({ type: 'message_stop' }),
    ];
    return { body: { ...head, content, stop_reason, stop_sequence: null, usage, ...told }, events };
  },
  wordsIn: (events) => events.map(({ data }) => deltaText(data)).join(''),
  count: (tokens) => ({ input_tokens: tokens }),
  refuse: ({ message }) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  tooLong: (tokens, limit) => new RuleBroken(`prompt is too long: ${tokens} tokens > ${limit} maximum`),
};
