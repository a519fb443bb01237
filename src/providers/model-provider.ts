import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { LanguageModel } from 'ai';
import { isRecord } from '../content/foreign-value.ts';
import { deadlineSignal } from '../deadline.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { FailedSummary, IProvider, SummaryOutcome, SummaryRequest } from '../strategies/contract.ts';
import { streamAnswer } from './answer-stream.ts';
import type { AnswerOutcome, AnswerRequest, ChatModel } from './chat-model.ts';
import type { ModelSetup } from './offloaded/client-protocol.ts';
import { streamSummary } from './summary-stream.ts';
import type { Environment, Vendor } from './vendors.ts';

/** A connection without a byte for this time is lost; models that think first send nothing for a while. */
const DEFAULT_IDLE_MS = 120_000;

/**
 * The modules that the clients of all vendors load, in this order. Loaded together, they block the thread for about 20 ms;
 * one by one, for less than half of that. Source: measured with single imports.
 */
const PARTS = [
  () => import('zod/v4/locales'),
  () => import('zod/v4/core'),
  () => import('zod/v4'),
  () => import('zod/v3'),
];

let loading: Promise<void> | undefined;

/** Loads these modules one by one without blocking the event loop. */
async function loadClientParts(): Promise<void> {
  for (const load of PARTS) {
    await load();
    await nextEventLoopTurn();
  }
}

export interface ModelProviderOptions {
  /** The vendor's name of the model; absent for the default model. */
  readonly model?: string;
  /** The address of the API; absent for that of the environment or of the vendor. */
  readonly baseUrl?: string;
  /** The environment with the key; absent for that of the process. */
  readonly environment?: Environment;
  readonly idleMs?: number;
}

/** A vendor's model for summaries and chat, without retries. The first request loads the vendor's client. */
export class ModelProvider implements IProvider, ChatModel {
  readonly name: string;
  readonly model: string;
  readonly #vendor: Vendor;
  readonly #access: { readonly apiKey: string; readonly baseUrl: string; readonly model: string };
  readonly #idleMs: number;

  /** @throws CompressionStrategyError `PROVIDER_NOT_CONFIGURED` if the key, the model or the address is missing. */
  constructor(vendor: Vendor, options: ModelProviderOptions = {}) {
    const environment = options.environment ?? process.env;
    const keys = vendor.keyVariables.map((name) => environment[name]).filter((value) => value);
    if (keys.length === 0 && !vendor.worksWithoutKey) {
      throw notConfigured(vendor, 'an API key', `Set ${vendor.keyVariables.join(' or ')} in the environment.`);
    }
    const model = options.model ?? vendor.defaultModel;
    if (!model)
      throw notConfigured(vendor, 'the name of a model', 'Set the name of the model that the server has loaded.');
    const baseUrl = options.baseUrl ?? (environment[vendor.baseUrlVariable] || vendor.defaultBaseUrl);
    if (!baseUrl) throw notConfigured(vendor, 'a base URL', `Set ${vendor.baseUrlVariable} in the environment.`);
    this.name = vendor.name;
    this.model = model;
    this.#vendor = vendor;
    this.#access = { apiKey: keys[0] ?? 'none', baseUrl, model };
    this.#idleMs = options.idleMs ?? DEFAULT_IDLE_MS;
  }

  /** The setup to create the same provider on another thread. */
  get setup(): ModelSetup {
    return { vendor: this.name, ...this.#access, idleMs: this.#idleMs };
  }

  summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    return this.#ask(request.signal, (model, { signal, onProgress }) =>
      streamSummary(model, { vendor: this.name, request: { ...request, signal }, onProgress }),
    );
  }

  answer(request: AnswerRequest): Promise<AnswerOutcome> {
    return this.#ask(request.signal, (model, { signal, onProgress }) =>
      streamAnswer(model, { vendor: this.name, model: this.model, request: { ...request, signal }, onProgress }),
    );
  }

  /** Sends one request; fails if nothing arrives for too long. */
  async #ask<Written>(
    signal: AbortSignal | undefined,
    stream: (
      model: LanguageModel,
      options: { signal: AbortSignal; onProgress: () => void },
    ) => Promise<Written | FailedSummary>,
  ): Promise<Written | FailedSummary> {
    const message = `${this.name}: no answer within ${this.#idleMs / 1000} s`;
    const idle = deadlineSignal(this.#idleMs, { signals: [signal], message });
    try {
      loading ??= loadClientParts();
      await loading;
      const model = (await this.#vendor.createModel(this.#access)) as LanguageModel;
      const outcome = await stream(model, { signal: idle.signal, onProgress: idle.refresh });
      return this.#withoutKey(outcome);
    } catch (error) {
      signal?.throwIfAborted();
      if (!idle.expired.aborted) throw error;
      return { kind: 'failed', failure: 'transient', message };
    } finally {
      idle.clear();
    }
  }

  /** Removes the key from a failure, because vendors quote it in their messages. */
  #withoutKey<Written>(outcome: Written | FailedSummary): Written | FailedSummary {
    const { apiKey } = this.#access;
    if (!isFailed(outcome) || apiKey.length < 8) return outcome;
    return { ...outcome, message: outcome.message.replaceAll(apiKey, '[key]') };
  }
}

const isFailed = (outcome: unknown): outcome is FailedSummary => isRecord(outcome) && outcome['kind'] === 'failed';

function notConfigured(vendor: Vendor, what: string, advice: string): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected ${what} for the provider "${vendor.name}", got none. ${advice}`,
    'PROVIDER_NOT_CONFIGURED',
  );
}
