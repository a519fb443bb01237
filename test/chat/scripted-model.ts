import type { ContentBlock, IContent } from '../../src/content/content.ts';
import type { AnswerOutcome, AnswerRequest, ChatModel } from '../../src/providers/chat-model.ts';
import type { FailedSummary } from '../../src/strategies/contract.ts';

/** One answer: its blocks, also cut at the output limit, a failure, or silence until the turn is cancelled. */
export type Scripted = readonly ContentBlock[] | { readonly cut: readonly ContentBlock[] } | FailedSummary | 'silence';

export const text = (words: string): ContentBlock => ({ type: 'text', text: words });
export const call = (id: string, name: string, parameters: unknown): ContentBlock => ({
  type: 'tool_call',
  id,
  name,
  parameters,
});

/** A model that gives the answers of a script and remembers its requests. */
export class ScriptedModel implements ChatModel {
  readonly name = 'scripted';
  readonly model: string;
  readonly asked: (readonly IContent[])[] = [];
  readonly #answers: Scripted[];

  constructor(answers: readonly Scripted[], model = 'gpt-5') {
    this.#answers = [...answers];
    this.model = model;
  }

  async answer({ history, onPart, signal }: AnswerRequest): Promise<AnswerOutcome> {
    signal?.throwIfAborted();
    this.asked.push(structuredClone(history) as IContent[]);
    const next = this.#answers.shift() ?? [text('Nothing more is planned.')];
    if (next === 'silence') {
      onPart({ kind: 'text', text: 'Well,' });
      signal?.throwIfAborted();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    if ('kind' in next) return next;
    const blocks = 'cut' in next ? next.cut : next;
    for (const block of blocks) if (block.type === 'text') onPart({ kind: 'text', text: block.text });
    return {
      kind: 'answer',
      content: { speaker: 'ai', blocks, metadata: { provider: this.name, model: this.model } },
      isTruncated: 'cut' in next,
    };
  }
}
