import { asText, isRecord } from '../content/foreign-value.ts';
import type { AdapterOptions } from './adapter-options.ts';
import { listPruner, type PrunedList, sendPruned } from './list-pruner.ts';
import { type ModelMessage, modelMessages, option } from './model-messages.ts';

/** What a model is called with. */
export interface CallOptions {
  readonly prompt: readonly ModelMessage[];
  readonly tools?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly providerOptions?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

const conversationOf = (providerOptions: unknown): string | undefined => {
  const density = isRecord(providerOptions) ? providerOptions['density'] : undefined;
  return isRecord(density) && typeof density['sessionId'] === 'string' ? density['sessionId'] : undefined;
};

/**
 * A middleware for `wrapLanguageModel` of the AI SDK (5, 6 and 7) that prunes the prompts of a model.
 * `providerOptions.density.sessionId` names the conversation. See docs/adapters.md.
 */
export function prunedPrompts(options: AdapterOptions = {}) {
  const prune = listPruner(modelMessages, options);
  const originals = new WeakMap<object, { params: object; pruned: PrunedList<ModelMessage> }>();
  const send = <Params extends object, Result>(
    given: Params,
    call: () => PromiseLike<Result>,
    callWith: (params: Params) => PromiseLike<Result>,
  ): PromiseLike<Result> => {
    const original = originals.get(given);
    if (original === undefined) return call();
    const { params, pruned } = original;
    return sendPruned(pruned, (list) => {
      if (list === pruned.list) return call();
      return callWith((list ? { ...params, prompt: list } : params) as Params);
    });
  };
  return {
    specificationVersion: 'v3' as const,
    async transformParams<Params extends CallOptions>({
      params,
      model,
    }: {
      params: Params;
      model: { readonly modelId: string };
    }): Promise<Params> {
      const { prompt, tools, headers = {}, providerOptions, abortSignal: signal } = params;
      const pruned = await prune(prompt, {
        model: model.modelId,
        conversation: conversationOf(providerOptions),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        tools: tools ?? [],
        isElsewhere: option(providerOptions, 'previousResponseId', 'conversation') !== undefined,
        signal,
      });
      if (pruned === undefined) return params;
      const changed = { ...params, prompt: pruned.list };
      originals.set(changed, { params, pruned });
      return changed;
    },
    wrapGenerate: <Params extends object, Result>({
      doGenerate,
      params,
      model,
    }: {
      doGenerate: () => PromiseLike<Result>;
      params: Params;
      model: { doGenerate(params: Params): PromiseLike<Result> };
    }): PromiseLike<Result> => send(params, doGenerate, (original) => model.doGenerate(original)),
    wrapStream: <Params extends object, Result>({
      doStream,
      params,
      model,
    }: {
      doStream: () => PromiseLike<Result>;
      params: Params;
      model: { doStream(params: Params): PromiseLike<Result> };
    }): PromiseLike<Result> => send(params, doStream, (original) => model.doStream(original)),
  };
}

/** Options of a hook that is given a list and not the name of its conversation, nor always that of the model. */
export interface StepOptions extends AdapterOptions {
  /** The name of the conversation of a step; default: its first message says which one it is. */
  readonly conversation?: (step: Step) => string | undefined;
}

/** What the AI SDK tells before a step. */
export interface Step {
  readonly messages: readonly ModelMessage[];
  readonly model: unknown;
}

/**
 * A `prepareStep` for the AI SDK, where the model cannot be wrapped. The record of the conversation keeps every result, also in
 * version 7, which hands the list of a step on to the next one. See docs/adapters.md.
 */
export function prunedSteps({ conversation, ...options }: StepOptions = {}) {
  const prune = listPruner(modelMessages, options);
  return async <Given extends Step>(step: Given): Promise<{ messages?: Given['messages'][number][] }> => {
    const model = isRecord(step.model) ? step.model['modelId'] : step.model;
    const pruned = await prune(step.messages, { model: asText(model), conversation: conversation?.(step) });
    return pruned ? { messages: pruned.list } : {};
  };
}
