import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import type { Pruned, Pruner } from '../../../src/live/contract.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import type { Accepted, Refused } from '../../../src/strict-provider/contract.ts';
import type { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import type { PlayedModel } from '../live/played-models.ts';
import { Agent, type RecordedCall } from '../live/recorded-calls.ts';
import { type Answered, sendPruned } from '../live/send-pruned.ts';
import { changedPrefix, formsIn, listOf, type SentList } from '../live/sent-list.ts';
import { AGENT_FAULTS, type AgentFault, refused } from './agent-faults.ts';
import { RefusedForms } from './refused-forms.ts';

export interface RefusalsOptions {
  readonly provider: StrictProvider;
  readonly played: PlayedModel;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly agent: string;
}

/** Calls between two forms that are refused. */
const BETWEEN_FORMS = 10;

const NOTHING = {
  calls: 0,
  /** Requests that were refused for a reason of the agent's, and those of them that were sent again without what was new. */
  agentFaults: 0,
  resent: 0,
  /** Elements that were sent in another form in the request after it; requests that were shorter, and had an epoch then. */
  changedByFaults: 0,
  epochsAfterFaults: 0,
  /** New forms that were refused, and other forms that were not as before then. */
  refusedForms: 0,
  otherFormsChanged: 0,
  /** Requests with a form that was refused before. */
  sentAgain: 0,
  /** Elements that were sent in another form outside an epoch. */
  changedPrefixes: 0,
  droppedThinking: 0,
  /** Requests without a fault that were refused, and were not without the pruner. */
  refused: 0,
};

/** What followed from refusals in one session with one model. */
export type RefusalsPlayed = Readonly<typeof NOTHING>;

/**
 * Plays the calls of a session through a provider that refuses every tenth request for a reason of the agent's, which then
 * asks again without it, and now and then the only new form of a request, wherever it gets that.
 */
export async function playRefusals(calls: readonly RecordedCall[], options: RefusalsOptions): Promise<RefusalsPlayed> {
  const play = new RefusalsPlay(options);
  for (const call of calls) await play.call(call);
  return play.counts;
}

/** A request as the agent wrote it, what is sent for it, and both lists. */
interface Asked extends SentList {
  readonly body: object;
  readonly pruned: Pruned<object>;
}

class RefusalsPlay {
  readonly counts = { ...NOTHING };
  readonly #options: RefusalsOptions;
  readonly #plain: Agent;
  readonly #agent: Agent;
  readonly #pruner: Pruner;
  readonly #badForms = new RefusedForms();
  #nowMs = 0;
  /** The last request that was accepted, and the one that was refused for a reason of the agent's since. */
  #accepted: SentList | undefined;
  #faulty: Asked | undefined;
  #sinceForm = 0;

  constructor(options: RefusalsOptions) {
    const { api } = options.played;
    this.#options = options;
    this.#plain = new Agent(api);
    this.#agent = new Agent(api);
    const { provider: _, played: __, ...facts } = options;
    this.#pruner = createPruner({ api, ...facts, mostMs: Number.POSITIVE_INFINITY, now: () => this.#nowMs });
  }

  async call(call: RecordedCall): Promise<void> {
    const { counts } = this;
    this.#nowMs = call.atMs;
    const plain = this.#plain;
    const expected = this.#receive('plain', plain.list(call.entries), call);
    if (expected.status === 200) plain.hear(call.answerId, expected.answer);
    else for (const one of [plain, this.#agent]) one.forget();
    const list = this.#agent.list(call.entries);
    const at = counts.calls++;
    if (at % 10 === 4) await this.#fault(list, AGENT_FAULTS[counts.agentFaults % AGENT_FAULTS.length]!);
    const asked = await this.#ask(list);
    const { pruned, answered } = await this.#send(asked, call);
    if (answered.outcome.status !== 200) {
      if (expected.status === 200) counts.refused++;
      return;
    }
    this.#agent.hear(call.answerId, answered.outcome.answer);
    if (expected.status === 200)
      counts.droppedThinking += Math.max(0, answered.outcome.dropped.length - expected.dropped.length);
    const sent = { list: asked.list, sent: listOf(answered.body) };
    if (this.#faulty && answered.first === undefined) {
      // Without what was too long an edit may pay that did not with it.
      const isEpoch = pruned.report.isEpoch && asked.list.length < this.#faulty.list.length;
      if (isEpoch) counts.epochsAfterFaults++;
      else counts.changedByFaults += changedPrefix(this.#faulty, sent);
    }
    const isEpoch = pruned.report.isEpoch || this.#faulty?.pruned.report.isEpoch === true;
    if (this.#accepted && (answered.first || !isEpoch)) counts.changedPrefixes += changedPrefix(this.#accepted, sent);
    this.#accepted = sent;
    this.#faulty = undefined;
  }

  async #ask(list: readonly unknown[]): Promise<Asked> {
    const { played } = this.#options;
    const body = this.#agent.body(list, played);
    const pruned = await this.#pruner.prune<object>({ body, model: played.model, conversation: 'played' });
    return { body, pruned, list: listOf(body), sent: listOf(pruned.body) };
  }

  #receive(account: 'plain' | 'pruned', sent: readonly unknown[] | object, { says }: Pick<RecordedCall, 'says'>) {
    const { provider, played } = this.#options;
    const { api, model } = played;
    const body = Array.isArray(sent) ? this.#plain.body(sent, played) : sent;
    return provider.receive({ api, model, says, account: `${account} ${played.account}`, body }, this.#nowMs);
  }

  /** Asks with a fault of the agent's, which the provider refuses with and without what is new. */
  async #fault(list: readonly unknown[], { added, refusal }: AgentFault): Promise<void> {
    const asked = await this.#ask([...list, ...this.#agent.list(added(this.#options.played.model))]);
    const receive = (body: object): Accepted | Refused =>
      refusal === undefined ? this.#receive('pruned', body, { says: {} }) : refused(refusal);
    const { outcome, first } = await sendPruned(this.#pruner, asked.pruned, receive);
    if (outcome.status === 200) throw new Error('Expected a request with a fault to be refused.');
    this.counts.agentFaults++;
    if (first) this.counts.resent++;
    this.#faulty = asked;
  }

  /** Sends a request to the provider that refuses some forms, perhaps the only new one of this request too. */
  async #send(asked: Asked, call: RecordedCall): Promise<{ pruned: Pruned<object>; answered: Answered }> {
    const { counts } = this;
    const { pruned, list } = asked;
    if (this.#badForms.areIn(asked)) counts.sentAgain++;
    const forms = formsIn(asked);
    const earlier = this.#accepted ? formsIn(this.#accepted) : new Map<string, string>();
    const [fresh, ...others] = [...forms].filter(([place, text]) => earlier.get(place) !== text);
    // After a refusal for the window the agent's answers count as an acceptance of what is new here.
    const isNew = fresh !== undefined && others.length === 0 && pruned.withoutNew !== undefined;
    const isBad = isNew && this.#sinceForm++ >= BETWEEN_FORMS;
    if (isBad) this.#badForms.add(...fresh, asked);
    const receive = (body: object): Accepted | Refused =>
      this.#badForms.areIn({ list, sent: listOf(body) }) ? refused('a form') : this.#receive('pruned', body, call);
    const answered = await sendPruned(this.#pruner, pruned, receive);
    if (isBad) {
      this.#sinceForm = 0;
      counts.refusedForms++;
      const [place] = fresh;
      const before = earlier.get(place);
      if (before === undefined) forms.delete(place);
      else forms.set(place, before);
      counts.otherFormsChanged += differences(forms, formsIn({ list, sent: listOf(answered.body) }));
    }
    return { pruned, answered };
  }
}

const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): number =>
  [...new Set([...one.keys(), ...other.keys()])].filter((place) => one.get(place) !== other.get(place)).length;
