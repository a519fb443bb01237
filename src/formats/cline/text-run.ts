import type { ContentBlock } from '../../content/content.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { MessageRuns } from './message-runs.ts';
import { stretches, textFacts } from './text-result.ts';

/** A call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** A result in the texts after the line that names its tool. */
export class TextRun {
  readonly #runs: MessageRuns;
  readonly #call: OpenCall;
  readonly #number: number;
  readonly #texts: string[] = [];

  constructor(runs: MessageRuns, call: OpenCall, { index, end }: { index: number; end: number }) {
    this.#runs = runs;
    this.#call = call;
    this.#number = runs.text('tool', this.#block(), { index, start: 0, end, kind: 'frame' });
  }

  add(index: number, text: string, from: number): void {
    for (const { isFeedback, start, end } of stretches(text, from)) {
      const words = text.slice(start, end);
      if (isFeedback) {
        this.#runs.text('human', { type: 'text', text: words }, { index, start, end, kind: 'text' });
        continue;
      }
      this.#texts.push(words);
      this.#runs.pieces.push({ index, start, end, kind: 'result', block: this.#number });
    }
    this.#runs.settle(this.#number, this.#block());
  }

  #block(): ContentBlock {
    const { id: callId, name: toolName } = this.#call;
    return responseBlock(callId, toolName, textFacts(this.#texts.join('\n')));
  }
}
