import { createHash } from 'node:crypto';
import { isRecord } from '../content/foreign-value.ts';
import type { ApiName } from '../formats/api-path.ts';
import { RuleBroken } from '../lab/lint/rules/rule-broken.ts';
import { contextLimitOfModel, familyOfModel } from '../tokens/models.ts';
import { anthropicApi } from './apis/anthropic.ts';
import type { Api } from './apis/api.ts';
import { geminiApi } from './apis/gemini.ts';
import { openaiChatApi } from './apis/openai-chat.ts';
import { openaiResponsesApi } from './apis/openai-responses.ts';
import { type CacheBehavior, CacheChance, lifetimeFactor } from './cache-behavior.ts';
import type { Accepted, ProviderRequest, Refused, Said } from './contract.ts';
import { billOf, meterPrompt, PrefixNode } from './meter.ts';
import { rulesOfModel } from './models.ts';
import { PartReader } from './part-reader.ts';
import { isPing, pingAnswer } from './ping.ts';

interface StrictProviderOptions extends CacheBehavior {
  /** When an account was created, in milliseconds since 1970. Default: every account is newer than every rule. */
  readonly createdAt?: (account: string) => number;
}

/**
 * A provider without a model: it refuses what the real ones refuse, in their words, keeps their prompt caches on a clock
 * that the caller moves, and bills each request. See docs/provider.md.
 */
export class StrictProvider {
  readonly #createdAt: (account: string) => number;
  readonly #apis: Readonly<Record<ApiName, Api>>;
  readonly #reader = new PartReader();
  readonly #root = new PrefixNode();
  readonly #behavior: CacheBehavior;
  readonly #chance: CacheChance;
  #requests = 0;

  constructor({ createdAt = () => Number.POSITIVE_INFINITY, ...behavior }: StrictProviderOptions = {}) {
    this.#createdAt = createdAt;
    this.#behavior = behavior;
    this.#chance = new CacheChance(behavior);
    this.#apis = {
      'anthropic-messages': anthropicApi(this.#reader),
      'openai-responses': openaiResponsesApi(this.#reader),
      'openai-chat': openaiChatApi(this.#reader),
      'gemini-api': geminiApi(this.#reader),
    };
  }

  /** The answer to a request that arrives at `atMs`, which must not be before that of the last request. */
  receive(request: ProviderRequest, atMs: number): Accepted | Refused {
    const api = this.#apis[request.api];
    try {
      return this.#accept(request, api, atMs);
    } catch (error) {
      if (!(error instanceof RuleBroken)) throw error;
      return { status: 400, body: api.refuse(error), message: error.message };
    }
  }

  /** What an answer costs whose client hung up after so many of its events: the prompt, and the output so far. */
  endedAfter({ api, ...request }: ProviderRequest, outcome: Accepted, events: number): Accepted {
    const { wordsIn } = this.#apis[api];
    if (events >= outcome.events.length || wordsIn === undefined) return outcome;
    const model = modelOf(request);
    // The first event counts one token.
    const sent =
      events && Math.max(1, this.#reader.countText(wordsIn(outcome.events.slice(0, events)), familyOfModel(model)));
    const tokens = { ...outcome.tokens, output: Math.min(sent, outcome.tokens.output) };
    return { ...outcome, tokens, dollars: billOf(model, tokens) };
  }

  #accept(received: ProviderRequest, api: Api, nowMs: number): Accepted {
    const { body, ...request } = received;
    if (!isRecord(body)) throw new RuleBroken('The request body is not valid JSON: expected an object.');
    const { account = 'default', betas = [], isCount = false } = request;
    const model = modelOf(received);
    if (model === '') throw new RuleBroken('model: Field required');
    const family = familyOfModel(model);
    const accountCreatedAt = this.#createdAt(account);
    const prompt = api.read(body, { model, family, account, accountCreatedAt, betas, isCount });
    const total = prompt.parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const limit = contextLimitOfModel(model);
    if (total > limit) throw api.tooLong(total, limit);
    if (isCount) {
      const tokens = { uncached: total, read: 0, written: 0, writtenForAnHour: 0, output: 0 };
      return {
        status: 200,
        body: api.count(total),
        events: [],
        answer: [],
        tokens,
        dollars: 0,
        dropped: prompt.dropped,
      };
    }
    const event = this.#chance.next(prompt.followsTool);
    const metered =
      this.#behavior.billsPingsInFull && isPing(received)
        ? { uncached: total, read: 0, written: 0, writtenForAnHour: 0 }
        : meterPrompt(prompt.parts, {
            root: this.#root,
            cache: rulesOfModel(model).cache,
            lifetimeFactor: lifetimeFactor(this.#behavior),
            owner: `${account} ${model}`,
            nowMs,
            event,
          });
    const count = (text: string): number => this.#reader.countText(text, family);
    const words = this.#withIds(request.says ?? { text: 'Done.' });
    const isCut = isPing(received);
    const says = isCut ? pingAnswer(words, Number(body['max_tokens']), count) : words;
    const answer = prompt.answer(says);
    const tokens = { ...metered, output: isCut ? count(says.text ?? '') : count(wordsOf(says)) };
    const id = createHash('sha256').update(`answer ${this.#requests}`).digest('hex').slice(0, 24);
    const { dropped } = prompt;
    const written = api.write(answer, { model, id, tokens, dropped, betas, isCut });
    return { status: 200, ...written, answer, tokens, dollars: billOf(model, tokens), dropped };
  }

  /** Calls without an id get one. */
  #withIds(says: Said): Said {
    this.#requests++;
    const calls = says.calls?.map((call, at) => ({ ...call, id: call.id ?? `call_${this.#requests}_${at}` }));
    return calls ? { ...says, calls } : says;
  }
}

const wordsOf = ({ thinking = '', text = '', calls = [] }: Said): string =>
  [thinking, text, ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].join('\n');

const modelOf = ({ model, body }: Pick<ProviderRequest, 'model' | 'body'>): string =>
  model ?? String((isRecord(body) ? body['model'] : undefined) ?? '');
