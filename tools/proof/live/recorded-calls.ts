import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { newMessages as anthropicMessages } from '../../../src/formats/anthropic/anthropic-messages.ts';
import type { ApiName } from '../../../src/formats/api-path.ts';
import { sendable } from '../../../src/formats/blocks/sendable.ts';
import { newItems } from '../../../src/formats/codex/create.ts';
import type { Session } from '../../../src/formats/contract.ts';
import { geminiContents } from '../../../src/formats/gemini/gemini-content.ts';
import { newMessages as chatMessages } from '../../../src/formats/openai-chat/create.ts';
import type { MarkLifetime } from '../../../src/lab/lint/rules/cache-marks.ts';
import type { Said } from '../../../src/strict-provider/contract.ts';
import { asAgentSends } from './as-agent-sends.ts';

/** One recorded model call: the history that was sent, the answer, and when. */
export interface RecordedCall {
  readonly entries: readonly IContent[];
  readonly answerId: string;
  readonly says: Said;
  readonly atMs: number;
}

/** The model calls of a session, as its agent made them. Answers without text and calls are skipped. */
export function recordedCalls(session: Session): RecordedCall[] {
  const calls: RecordedCall[] = [];
  let entries: IContent[] = [];
  let nowMs = 0;
  for (const event of session.events) {
    if (event.kind === 'replace') {
      entries = event.contents.map(asAgentSends);
      continue;
    }
    const { content } = event;
    const id = content.metadata?.id;
    if (content.speaker === 'ai' && id !== undefined && entries.some(({ speaker }) => speaker === 'human')) {
      const sent = sendable([...entries, content]);
      const answer = sent.findLast(({ metadata }) => metadata?.id === id);
      const before = answer === undefined ? sent : sent.slice(0, sent.indexOf(answer));
      const says = saidOf(answer?.blocks ?? content.blocks);
      if (says !== undefined) calls.push({ entries: before, answerId: id, says, atMs: nowMs });
    }
    entries.push(asAgentSends(content));
    nowMs = Math.max(nowMs, content.metadata?.timestamp ?? 0);
  }
  return calls;
}

/** Every answer thinks, so that the binding of thinking is tried everywhere. */
function saidOf(blocks: readonly ContentBlock[]): Said | undefined {
  const text = blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
  const thought = blocks.flatMap((block) => (block.type === 'thinking' ? block.thought : [])).join('\n');
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_call' ? { id: block.id, name: block.name, input: inputOf(block.parameters) } : [],
  );
  if (text.trim() === '' && calls.length === 0) return undefined;
  return {
    thinking: thought === '' ? 'What is next?' : thought,
    ...(text.trim() !== '' && { text }),
    ...(calls.length > 0 && { calls }),
  };
}

const inputOf = (parameters: unknown): unknown =>
  typeof parameters === 'object' && parameters !== null ? parameters : { input: parameters };

type Native = (entries: readonly IContent[]) => readonly unknown[];

/**
 * The messages of entries: the same ones are the same objects each time, and the results of one answer are one message. `instead`
 * may have the messages of an entry.
 */
export function nativeMessages(
  write: Native,
): (entries: readonly IContent[], instead?: (entry: IContent) => readonly unknown[] | undefined) => unknown[] {
  const known = new WeakMap<IContent, { readonly last: IContent; readonly messages: readonly unknown[] }>();
  const messagesOf = (entries: readonly IContent[]): readonly unknown[] => {
    const first = entries[0]!;
    const last = entries.at(-1)!;
    const kept = known.get(first);
    if (kept?.last === last) return kept.messages;
    const messages = write(entries);
    known.set(first, { last, messages });
    return messages;
  };
  return (entries, instead) => {
    const list: unknown[] = [];
    for (let at = 0; at < entries.length; ) {
      const entry = entries[at]!;
      let end = at + 1;
      if (entry.speaker === 'tool') while (entries[end]?.speaker === 'tool') end++;
      list.push(...(instead?.(entry) ?? messagesOf(entries.slice(at, end))));
      at = end;
    }
    return list;
  };
}

const NATIVE: Readonly<Record<ApiName, Native>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': (entries) => entries.flatMap((entry) => chatMessages(entry)),
  'openai-responses': (entries) => entries.flatMap((entry) => newItems(entry)),
  'gemini-api': (entries) => geminiContents.create(entries),
};

const LIST_KEYS: Readonly<Record<ApiName, string>> = {
  'anthropic-messages': 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  'gemini-api': 'contents',
};

const SYSTEM = 'You are an agent that reads and changes files. '.repeat(800);

/** Writes the bodies of one agent: its list keeps the same objects from request to request. */
export class Agent {
  readonly #api: ApiName;
  readonly #answers = new Map<string, readonly unknown[]>();
  readonly #messages: ReturnType<typeof nativeMessages>;

  constructor(api: ApiName) {
    this.#api = api;
    // Thinking that another provider signed cannot be sent.
    this.#messages = nativeMessages((entries) => NATIVE[api](entries.map(withoutThinking)));
  }

  /** Keeps the provider's own answer, with its signatures. */
  hear(answerId: string, answer: readonly unknown[]): void {
    this.#answers.set(answerId, answer);
  }

  /** Sends earlier answers without their thinking from now on. */
  forget(): void {
    this.#answers.clear();
  }

  /** The provider's own answer; `undefined` if it was not heard, or is forgotten. */
  heard(answerId: string): readonly unknown[] | undefined {
    return this.#answers.get(answerId);
  }

  list(entries: readonly IContent[]): unknown[] {
    return this.#messages(entries, ({ speaker, metadata }) =>
      speaker === 'ai' ? this.#answers.get(metadata?.id ?? '') : undefined,
    );
  }

  body(
    list: readonly unknown[],
    { model, ttl }: { readonly model: string; readonly ttl: MarkLifetime },
    tools: readonly object[] = TOOLS,
  ): Readonly<Record<string, unknown>> {
    const key = LIST_KEYS[this.#api];
    if (this.#api === 'anthropic-messages') {
      const cache_control = { type: 'ephemeral', ...(ttl === '1h' && { ttl }) };
      const system = [{ type: 'text', text: SYSTEM, cache_control }];
      return { model, max_tokens: 8192, system, tools, [key]: marked(list, cache_control) };
    }
    if (this.#api === 'gemini-api') return { systemInstruction: SYSTEM_PARTS, tools, [key]: list };
    if (this.#api === 'openai-responses') return { model, store: false, instructions: SYSTEM, tools, [key]: list };
    return { model, tools, [key]: [SYSTEM_MESSAGE, ...list] };
  }
}

const withoutThinking = (entry: IContent): IContent => ({
  ...entry,
  blocks: entry.blocks.filter(({ type }) => type !== 'thinking'),
});

const TOOLS = [{ name: 'Read', description: 'Reads a file.' }];
const SYSTEM_PARTS = { parts: [{ text: SYSTEM }] };
const SYSTEM_MESSAGE = { role: 'system', content: SYSTEM };

/** The list with a cache mark on its last block, as Claude Code sets it. */
function marked(list: readonly unknown[], cache_control: object): readonly unknown[] {
  const last = list.at(-1) as { content: unknown } | undefined;
  if (last === undefined) return list;
  const blocks: object[] =
    typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : [...(last.content as object[])];
  blocks.push({ ...blocks.pop(), cache_control });
  return [...list.slice(0, -1), { ...last, content: blocks }];
}
