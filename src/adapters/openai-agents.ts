import { asText, type Fields, isRecord, jsonOf } from '../content/foreign-value.ts';
import type { AdapterOptions } from './adapter-options.ts';
import { type ListForm, listPruner, type ViewMessage } from './list-pruner.ts';

/** The text of an output, if it is one. */
function outputText(output: unknown): string | undefined {
  const one: unknown = Array.isArray(output) && output.length === 1 ? output[0] : output;
  if (typeof one === 'string') return one;
  return isRecord(one) && (one['type'] === 'text' || one['type'] === 'input_text') ? asText(one['text']) : undefined;
}

function withOutput(output: unknown, text: string): unknown {
  if (Array.isArray(output)) return output.map((one) => withOutput(one, text));
  return isRecord(output) ? { ...output, text } : text;
}

function parsed(text: unknown): unknown {
  const value = jsonOf(asText(text));
  return value === undefined ? text : value;
}

function message({ role, content }: Fields): ViewMessage {
  const speaker = role === 'assistant' || role === 'system' ? role : 'user';
  if (typeof content === 'string') return { role: speaker, content };
  const parts = (Array.isArray(content) ? content : []).map(({ type, text }) =>
    typeof text === 'string' ? { type: 'text', text } : { type: 'other', name: type },
  );
  return { role: speaker, content: parts };
}

const agentItems: ListForm<object> = {
  view(item) {
    const fields = item as Fields;
    const { type = 'message', callId, caller } = fields;
    if (type === 'message') return [message(fields)];
    if (type === 'function_call') {
      const call = { type: 'tool_use', id: callId, name: fields['name'], input: parsed(fields['arguments']), caller };
      return [{ role: 'assistant', content: [call] }];
    }
    if (type === 'function_call_result') {
      const content = outputText(fields['output']) ?? [];
      return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content, caller }] }];
    }
    if (type === 'compaction')
      return [{ role: 'assistant', content: [{ type, content: asText(fields['encrypted_content']) }] }];
    const role = /_(?:result|output)$/.test(asText(type)) ? 'user' : 'assistant';
    return [{ role, content: [{ type: 'other', name: type, id: fields['id'] ?? callId }] }];
  },
  withText: (item, _, text) => ({ ...item, output: withOutput((item as Fields)['output'], text) }),
};

/** True if the list has a result whose call it has not: the server keeps the rest. */
function isElsewhere(input: readonly object[]): boolean {
  const calls = new Set<unknown>();
  for (const item of input as readonly Fields[]) {
    if (item['type'] === 'function_call') calls.add(item['callId']);
    if (item['type'] === 'function_call_result' && !calls.has(item['callId'])) return true;
  }
  return false;
}

/** What is given before a model call. */
export interface FilterArguments {
  readonly modelData: { readonly input: readonly object[]; readonly instructions?: string };
  readonly agent: object;
  readonly context: unknown;
}

export interface InputOptions<Context = unknown> extends AdapterOptions {
  /** The name of the conversation, from the context of the run; default: its first item says which one it is. */
  readonly conversation?: (context: Context) => string | undefined;
  /** The model, where the agent does not name it. */
  readonly model?: string;
}

const modelOf = (agent: object): string => {
  const { model } = agent as Fields;
  return asText(isRecord(model) ? (model['model'] ?? model['_model']) : model);
};

/**
 * A `callModelInputFilter` for `@openai/agents`. The session keeps every item: what does not change are the same objects.
 * Not together with a session that compacts itself. See docs/adapters.md.
 */
export function prunedInput<Context = unknown>({ conversation, model, ...options }: InputOptions<Context> = {}) {
  const prune = listPruner(agentItems, options);
  const filter = async <Given extends FilterArguments>({ modelData, agent, context }: Given) => {
    const { input, instructions } = modelData;
    const pruned = await prune(input as readonly Given['modelData']['input'][number][], {
      model: model ?? modelOf(agent),
      conversation: conversation?.(context as Context),
      system: instructions,
      isElsewhere: isElsewhere(input),
    });
    return (pruned ? { ...modelData, input: pruned.list } : modelData) as Given['modelData'];
  };
  return Object.assign(filter, { preserveInputIdentity: true as const });
}
