import type { IContent } from '../../../src/content/content.ts';
import type { Accepted, MeteredTokens, Refused, Said } from '../../../src/strict-provider/contract.ts';
import type { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import type { PlayedModel } from '../live/played-models.ts';
import { Agent } from '../live/recorded-calls.ts';
import { sendPruned } from '../live/send-pruned.ts';
import { changedPrefix, formsIn, listOf, type SentList } from '../live/sent-list.ts';
import type { CreatePruner } from './baseline.ts';
import { COMPACTION, continuation, markerIn, PROMPT, SUMMARY } from './summaries.ts';

/** Source: https://developers.openai.com/api/docs/guides/prompt-caching */
const STEP_TOKENS = 128;
const OTHER_TOOLS = [{ name: 'Other', description: 'Does something else.' }];

/** What came of a request. */
export interface Answer {
  readonly isAccepted: boolean;
  /** True if it was refused for thinking that is bound to something else. */
  readonly isUnbound: boolean;
  /** What was billed. */
  readonly dollars: number | undefined;
}

interface SideOptions {
  readonly provider: StrictProvider;
  readonly played: PlayedModel;
  readonly account: string;
  /** Absent: the requests are sent as the agent wrote them. */
  readonly pruner: ReturnType<CreatePruner> | undefined;
  readonly nowMs: () => number;
}

/** One agent that plays a session: as it is, or with a pruner. */
export class Side {
  readonly #options: SideOptions;
  readonly #agent: Agent;
  /** The last request, if it was accepted. */
  #last: (SentList & { readonly outcome: Accepted }) | undefined;
  /** What it went on from. */
  #start: readonly IContent[] = [];
  #quoted: string | undefined;
  /** `quoted`: summaries that quote a marker of ours; `markersSent`: requests in which it was sent. */
  readonly counts = { changedPrefixes: 0, quoted: 0, markersSent: 0, droppedThinking: 0 };

  constructor(options: SideOptions) {
    this.#options = options;
    this.#agent = new Agent(options.played.api);
  }

  /** Sends a model call of the session; `entries` follow what it went on from. */
  async call(
    entries: readonly IContent[],
    answerId: string,
    says: Said,
  ): Promise<Answer & { readonly isEpoch: boolean }> {
    const { outcome, list, sent, isEpoch } = await this.#ask(entries, says, {});
    if (this.#last && !isEpoch) this.counts.changedPrefixes += changedPrefix(this.#last, { list, sent });
    this.#last = outcome.status === 200 ? { list, sent, outcome } : undefined;
    if (this.#quoted !== undefined && JSON.stringify(sent[0]).includes(JSON.stringify(this.#quoted).slice(1, -1)))
      this.counts.markersSent++;
    if (outcome.status === 200) {
      this.#agent.hear(answerId, outcome.answer);
      this.counts.droppedThinking += outcome.dropped.length;
    }
    return { ...answerOf(outcome), isEpoch };
  }

  /** Goes on without the thinking of earlier answers. */
  forget(): void {
    this.#agent.forget();
  }

  /**
   * Asks for a summary after these entries. `isRead`: it read all that the last request has in the cache. `changed`: elements
   * that it has in another form than that.
   */
  async summary(
    entries: readonly IContent[],
    hasOtherTools: boolean,
  ): Promise<Answer & { readonly isRead: boolean; readonly changed: number }> {
    const last = this.#last;
    const more = { headers: COMPACTION, ...(hasOtherTools && { tools: OTHER_TOOLS }) };
    const ask = () => this.#ask([...entries, ...PROMPT], { text: SUMMARY }, more);
    const { outcome, list, sent } = await ask();
    const answer = answerOf(outcome);
    const cached = last ? cachedOf(last.outcome.tokens) : 0;
    const isRead = outcome.status === 200 && outcome.tokens.read > cached - STEP_TOKENS;
    const facts = { isRead, changed: last ? changedPrefix(last, { list, sent }) : 0 };
    if (!answer.isUnbound) return { ...answer, ...facts };
    // As Claude Code does: it asks again without its thinking.
    this.forget();
    return { ...answer, ...facts, dollars: answerOf((await ask()).outcome).dollars };
  }

  /** Goes on from the summary, which quotes a marker if one was sent. */
  goOn(): void {
    this.#quoted = this.#last && markerIn(formsIn(this.#last).values());
    if (this.#quoted !== undefined) this.counts.quoted++;
    this.#start = continuation(this.#quoted ?? '');
    this.#last = undefined;
  }

  /** Leaves the summary, as the recorded agent wrote one of its own. */
  startAgain(): void {
    this.#start = [];
    this.#quoted = undefined;
  }

  async #ask(
    entries: readonly IContent[],
    says: Said,
    { headers, tools }: { headers?: Readonly<Record<string, string>>; tools?: readonly object[] },
  ) {
    const { provider, played, account, pruner, nowMs } = this.#options;
    const { api, model } = played;
    const body = this.#agent.body(this.#agent.list([...this.#start, ...entries]), played, tools);
    const receive = (sent: object): Accepted | Refused =>
      provider.receive({ api, model, says, account: `${account} ${played.account}`, body: sent }, nowMs());
    const list = listOf(body);
    if (pruner === undefined) return { outcome: receive(body), list, sent: list, isEpoch: false };
    const pruned = await pruner.prune<object>({ body, model, conversation: 'played', ...(headers && { headers }) });
    const { outcome, body: sent } = await sendPruned(pruner, pruned, receive);
    return { outcome, list, sent: listOf(sent), isEpoch: pruned.report.isEpoch };
  }
}

const cachedOf = ({ read, written, writtenForAnHour }: MeteredTokens): number => read + written + writtenForAnHour;

const answerOf = (outcome: Accepted | Refused): Answer => ({
  isAccepted: outcome.status === 200,
  isUnbound: outcome.status !== 200 && outcome.message.includes('bound to a different conversation'),
  dollars: outcome.status === 200 ? outcome.dollars : undefined,
});
