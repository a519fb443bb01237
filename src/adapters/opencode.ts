import { append } from '../content/append.ts';
import { asText, type Fields, isRecord } from '../content/foreign-value.ts';
import type { AdapterOptions } from './adapter-options.ts';
import { type ListForm, listPruner } from './list-pruner.ts';
import { option } from './model-messages.ts';

/** A message of opencode: a call and its result are one part. */
export interface PartedMessage {
  readonly info: object;
  readonly parts: readonly object[];
}

const stateOf = (part: Fields): Fields => (isRecord(part['state']) ? part['state'] : {});

function said(part: Fields): Fields[] {
  const { type, text, tool, callID, metadata } = part;
  if (type === 'text') return [{ type, text }];
  if (type === 'reasoning')
    return [{ type: 'thinking', thinking: asText(text), signature: option(metadata, 'signature', 'redactedData') }];
  if (type === 'tool') {
    const caller = option(metadata, 'caller');
    return [{ type: 'tool_use', id: callID, name: tool, input: stateOf(part)['input'], caller }];
  }
  return type === 'file' ? [{ type: 'image', source: { type: 'url', url: '' } }] : [];
}

function result(part: Fields): Fields[] {
  const { status, output, error, attachments, time } = stateOf(part);
  if (part['type'] !== 'tool' || (status !== 'completed' && status !== 'error')) return [];
  // What opencode removed itself it does not send.
  const isSent = !(isRecord(time) && time['compacted'] !== undefined);
  const isText = status === 'completed' && isSent && !(Array.isArray(attachments) && attachments.length > 0);
  const content = isText
    ? asText(output)
    : isSent
      ? [{ type: 'text', text: asText(output ?? error) }, { type: 'other' }]
      : [];
  return [{ type: 'tool_result', tool_use_id: part['callID'], content, ...(status === 'error' && { is_error: true }) }];
}

const partedMessages: ListForm<PartedMessage> = {
  view({ info, parts }) {
    const fields = parts as readonly Fields[];
    const { role } = info as Fields;
    const results = fields.flatMap(result);
    const own = { role: role === 'assistant' ? role : 'user', content: fields.flatMap(said) } as const;
    return results.length === 0 ? [own] : [own, { role: 'user', content: results }];
  },
  withText(message, place, text) {
    let results = 0;
    const parts = (message.parts as readonly Fields[]).map((part) =>
      result(part).length > 0 && results++ === place ? { ...part, state: { ...stateOf(part), output: text } } : part,
    );
    return { ...message, parts };
  },
};

const modelOf = (messages: readonly PartedMessage[]): string => {
  const { modelID, model } = (messages.findLast(({ info }) => 'modelID' in info || 'model' in info)?.info ??
    {}) as Fields;
  return asText(modelID) || asText(isRecord(model) ? model['modelID'] : model);
};

/**
 * The hook of an opencode plugin that prunes the messages of each request, in place, as opencode wants it; what it stored
 * keeps every result. See docs/adapters.md.
 */
export function prunedTransform(options: AdapterOptions = {}) {
  const prune = listPruner(partedMessages, options);
  return {
    'experimental.chat.messages.transform': async <Message extends PartedMessage>(
      _input: object,
      { messages }: { messages: Message[] },
    ): Promise<void> => {
      const conversation = asText((messages[0]?.info as Fields | undefined)?.['sessionID']) || undefined;
      const pruned = await prune(messages, { model: modelOf(messages), conversation });
      if (!pruned) return;
      messages.length = 0;
      append(messages, pruned.list);
    },
  };
}
