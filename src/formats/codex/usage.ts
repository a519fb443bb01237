import type { Usage } from '../../content/content.ts';
import { asCount, type Fields, isRecord } from '../../content/foreign-value.ts';
import type { DraftMetadata } from '../blocks/entry-metadata.ts';
import type { SideCall } from '../contract.ts';
import { type JsonPath, valueAt } from '../json/json-change.ts';
import { isEstimate, recordedUsage, type UsageReports, usageAt } from '../usage/usage-report.ts';

const LAST: JsonPath = ['payload', 'info', 'last_token_usage'];

export const USAGE_REPORTS: UsageReports = {
  read: usageAt({
    prompt: [['input_tokens']],
    completion: [['output_tokens']],
    cached: [['cached_input_tokens']],
    written: [['cache_write_input_tokens']],
    isWriteCounted: true,
    total: [['total_tokens']],
  }),
  prompt: ['input_tokens'],
  parts: [['cached_input_tokens'], ['cache_write_input_tokens']],
  total: ['total_tokens'],
  placesIn: (line) => (isRecord(valueAt(line, LAST)) ? [LAST] : []),
  // A line whose total is that of the one before is not counted again.
  recordedLine: (line) => line,
};

const WRITTEN = 'cache_write_input_tokens';

/** True for a login of ChatGPT, which writes nothing; versions before 0.145 do not say so. Source: https://github.com/rimio-ai/rimz/pull/66 */
const isPlan = (limits: unknown): boolean => isRecord(limits) && typeof limits['plan_type'] === 'string';

const STANDARD = new Set(['default', 'standard', 'auto']);

const serviceIn = (tier: unknown): string | undefined =>
  typeof tier === 'string' && tier !== '' && !STANDARD.has(tier) ? tier : undefined;

const servedUsage = (usage: Usage, service: string): Usage => ({
  ...usage,
  service,
  ...(usage.reported && { reported: { ...usage.reported, service } }),
});

/**
 * Adds the usage of `token_count` lines to answers. Versions up to 0.39 write the line before the items of the answer,
 * later ones after them: the first counted line of a rollout shows which.
 */
export class UsageReader {
  #answer: DraftMetadata | undefined;
  #pending: Usage | undefined;
  #countsComeFirst: boolean | undefined;
  #counted: string | undefined;
  /** The service of the thread; `undefined` for the standard one. */
  #service: string | undefined;
  /** An answer of the provider that no `token_count` has counted yet. */
  #uncounted: SideCall | undefined;
  readonly #sideCalls: SideCall[] = [];

  /** Starts an answer; `metadata` gets its usage now or with a later line. */
  answered(metadata: DraftMetadata): void {
    this.#answer = metadata;
    if (this.#pending) metadata.usage = this.#pending;
    this.#pending = undefined;
  }

  /** Notes how the next calls are served, if a line says so. Source: Codex 0.144, `thread_settings_applied` */
  served(settings: Fields): void {
    if ('service_tier' in settings) this.#service = serviceIn(settings['service_tier']);
  }

  /** The usage of one `token_count` line; `undefined` if it repeats the previous one, as for new rate limits. */
  counted({ info, service_tier: tier, rate_limits: limits }: Fields): Usage | undefined {
    const total = isRecord(info) ? info['total_token_usage'] : undefined;
    const last = isRecord(info) ? info['last_token_usage'] : undefined;
    if (!isRecord(total) || !isRecord(last)) return undefined;
    // After `codex resume` the total starts at zero, and can be that of the last line by chance.
    const counts = JSON.stringify([total, last]);
    if (counts === this.#counted || asCount(total['total_tokens']) === 0) return undefined;
    this.#counted = counts;
    this.#uncounted = undefined;
    const recorded = recordedUsage(isPlan(limits) ? { [WRITTEN]: 0, ...last } : last, USAGE_REPORTS);
    if (!recorded) return undefined;
    const service = tier === undefined ? this.#service : serviceIn(tier);
    const usage = service === undefined ? recorded : servedUsage(recorded, service);
    this.#countsComeFirst ??= this.#answer === undefined;
    if (this.#countsComeFirst) this.#pending = usage;
    // An estimate follows what the provider reported.
    else if (this.#answer && (this.#answer.usage === undefined || isEstimate(last, USAGE_REPORTS)))
      this.#answer.usage = usage;
    return usage;
  }

  /**
   * Notes an answer of the provider. A `token_count` follows it, but not if the answer was a compaction by the provider, or
   * the last one before the end: it is then a call beside the conversation.
   * Source: rollouts of 0.171, `token_usage_record`
   */
  recorded({ response_id: answerId, usage: report }: Fields, call: Pick<SideCall, 'model' | 'atMs'>): void {
    const usage = recordedUsage(report, USAGE_REPORTS);
    if (typeof answerId !== 'string' || usage === undefined) return;
    this.#setAside();
    this.#uncounted = {
      answerId,
      ...call,
      usage: this.#service === undefined ? usage : servedUsage(usage, this.#service),
    };
  }

  /** The provider compacted the conversation: no `token_count` counts that. */
  compacted(): void {
    this.#setAside();
  }

  /** Forgets the calls so far, which are those of another session. */
  forget(): void {
    this.#uncounted = undefined;
    this.#sideCalls.length = 0;
  }

  /** Calls that the conversation does not have. */
  sideCalls(): readonly SideCall[] {
    return this.#uncounted ? [...this.#sideCalls, this.#uncounted] : this.#sideCalls;
  }

  #setAside(): void {
    if (this.#uncounted) this.#sideCalls.push(this.#uncounted);
    this.#uncounted = undefined;
  }
}
