import { vocabularyWith } from '../content/tools/own-tools.ts';
import { unknownTools } from '../content/tools/unknown-tools.ts';
import { anyAgent, type ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { messageOf } from '../errors.ts';
import { traced } from '../telemetry/host-telemetry.ts';
import { promptCounter } from '../tokens/entries/prompt-counter.ts';
import { decideSteps, stepChanges } from './cache/cache-steps.ts';
import { accountChanges, askedBy, type ComparedRequest, promptChanges } from './changes/prompt-changes.ts';
import type {
  Body,
  LiveRequest,
  PromptChange,
  ProviderAnswer,
  Pruned,
  PruneReport,
  Pruner,
  PrunerOptions,
} from './contract.ts';
import type { Branch, NotedCall } from './conversation/branch.ts';
import type { Conversation } from './conversation/conversation.ts';
import { Conversations } from './conversation/conversations.ts';
import { elementHash } from './conversation/element.ts';
import { labelsOf } from './conversation/labels.ts';
import type { ChangedForm } from './conversation/unaccepted.ts';
import { hasLeastAnswer } from './conversation/warm-request.ts';
import type { KeepWarm } from './exchange/contract.ts';
import type { KeptMemory } from './kept-memory.ts';
import { bytesList } from './request/bytes-list.ts';
import { accountKey, conversationNames, isSideRequest, namedKey, startKey } from './request/conversation-key.ts';
import { LIVE_DIALECTS } from './request/dialects.ts';
import { objectList } from './request/object-list.ts';
import { type RequestList, written } from './request/request-list.ts';
import { coldGain } from './turn/cold-gain.ts';
import { NOTHING_DECIDED, reasonOf, reportOf, spanAttributes, untouched } from './turn/prune-report.ts';
import { LOSSLESS_CONFIG, RECOMMENDED_CONFIG } from './turn/recommended-config.ts';
import { isClockOf, pauseBefore, SentRequests, saysBound } from './turn/sent-requests.ts';
import { Slices } from './turn/slices.ts';
import { decideTurn, repeatTurn } from './turn/turn.ts';
import type { TurnTools } from './turn/turn-tools.ts';
import { asFrozen, asPing, asSent, unlessAborted, withoutNew } from './turn/undecided.ts';

/** Shorter than a proxy waits. */
const MAX_MS = 1_500;

/** A conversation at one request, and the time that is left for it. */
interface InTurn {
  readonly conversation: Conversation;
  readonly slices: Slices;
  /** True for a title, or a summary: where it repeats the conversation, the provider has that in its cache. */
  readonly isBeside: boolean;
}

interface TakenBack extends NotedCall {
  readonly conversation: Conversation;
  readonly changed: readonly ChangedForm[];
  readonly model: string;
}

export interface LivePrunerOptions extends PrunerOptions {
  /** What it may remember, together with others of this process. */
  readonly memory?: KeptMemory | undefined;
  /** True: as if every conversation was switched off. */
  readonly isOff?: boolean;
  /** True: no thinking is left out. */
  readonly keepsThinking?: boolean;
}

/** A pruner for the requests of one API. */
export class LivePruner implements Pruner {
  readonly #vocabulary: ToolVocabulary;
  readonly #onReport: PrunerOptions['onReport'];
  readonly #tools: Omit<TurnTools, 'strategy' | 'slices' | 'counter'>;
  readonly #conversations: Conversations;
  readonly #mostMs: number;
  readonly #sent = new SentRequests();

  constructor(options: LivePrunerOptions) {
    const { api, vocabulary = anyAgent, tools, workspaceRoot = '/' } = options;
    const { rules, ...config } = options.config ?? (options.archive ? RECOMMENDED_CONFIG : LOSSLESS_CONFIG);
    this.#vocabulary = tools === undefined ? vocabulary : vocabularyWith(tools, vocabulary);
    this.#onReport = options.onReport;
    this.#mostMs = options.mostMs ?? MAX_MS;
    this.#tools = {
      dialect: LIVE_DIALECTS[api],
      vocabulary: this.#vocabulary,
      labels: labelsOf(this.#vocabulary, workspaceRoot),
      config: { ...config, workspaceRoot, rules: { ...rules, ...(options.keepsThinking && { thinkingCalls: 0 }) } },
      archive: options.archive,
      isOff: options.isOff ?? false,
      agent: options.agent,
      cache: { api, hasMarks: options.cacheMarks ?? false, lifetime: options.cacheLifetime ?? 'agent' },
      now: options.now ?? (() => performance.now()),
    };
    const { dialect, now } = this.#tools;
    const { store, memory } = options;
    this.#conversations = new Conversations({ store, memory, vocabulary: this.#vocabulary, dialect, now });
  }

  async prune<Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>> {
    try {
      const failed = (error: unknown): Pruned<Given> => untouched(request.body, reasonOf(error));
      const pruned = await traced('density.prune', () => this.#prune(request).catch(failed), spanAttributes);
      this.#tell(pruned.report);
      return pruned;
    } catch {
      // The agent must go on, whatever happened here.
      return untouched(request.body, 'failed');
    }
  }

  #tell(report: PruneReport): void {
    try {
      this.#onReport?.(report);
    } catch (error) {
      // Its forms are noted as sent: were the original sent, the next request would change it.
      process.emitWarning(`\`onReport\` failed: ${messageOf(error)}`, 'HighDensityWarning');
    }
  }

  async pruneMessages<Message>(
    messages: readonly Message[],
    { model = '', conversation }: { model?: string; conversation?: string } = {},
  ): Promise<Message[]> {
    const { listKey } = this.#tools.dialect;
    const body = { model, tools: [{}], [listKey]: messages };
    const pruned = await this.prune({ body, model, ...(conversation !== undefined && { conversation }) });
    return [...(pruned.body[listKey] as readonly Message[])];
  }

  copiedMarker: Pruner['copiedMarker'] = (call, texts = []) =>
    this.#conversations.copyOf({ type: 'tool_call', id: '', ...call }, texts);

  async observe(report: PruneReport, answer: ProviderAnswer): Promise<void> {
    const { error = '', isBound = saysBound(error) } = answer;
    const { conversation: key, model } = report;
    const conversation = this.#conversations.known(key ?? '');
    if (conversation === undefined) return;
    const { stored, branches } = conversation;
    for (const decisions of new Set([stored, ...branches.map((branch) => branch.decisions)]))
      if (isBound && model !== undefined && !decisions.boundModels.has(model)) decisions.bind(model);
    const note = async (): Promise<void> => {
      await this.#conversations.note(conversation, this.#sent.answered(report, answer) ?? stored);
    };
    // If this cannot be stored, it is still valid until a restart.
    await conversation.queue(note).catch(() => {});
  }

  /**
   * For pings of ours. None may be sent where the conversation went on, here or elsewhere, or where that one is sent cannot be written
   * down. Undefined for requests that are no calls of a conversation.
   */
  keepWarm(report: PruneReport): KeepWarm | undefined {
    const newest = (): Branch | undefined => this.#sent.newestBranch(report);
    if (newest() === undefined) return undefined;
    const note = async (): Promise<boolean> => {
      const conversation = this.#conversations.known(report.conversation ?? '');
      return (
        conversation?.queue(async () => {
          const branch = newest();
          const isNewest = branch !== undefined && conversation.branches.at(-1) === branch;
          return isNewest && this.#conversations.keepWarm(conversation, branch);
        }) ?? false
      );
    };
    return {
      note,
      coldGain: async () => {
        const branch = newest();
        return branch === undefined ? 0 : coldGain(branch, this.#tools, new Slices(this.#mostMs));
      },
    };
  }

  async #prune<Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>> {
    const slices = new Slices(this.#mostMs);
    const { listKey, elsewhere } = this.#tools.dialect;
    const { body } = request;
    const named = this.#conversations.known(namedKey(request) ?? '');
    const before = named?.newest ?? this.#conversations.newest;
    const list = await (body instanceof Uint8Array
      ? bytesList(body, { key: listKey, before, slices })
      : objectList(body, listKey));
    if (elsewhere.some((name) => (list.field(name) ?? undefined) !== undefined))
      return untouched(body, 'history-elsewhere');
    if (list.length === 0) return untouched(body, 'side-request');
    let start: string | undefined;
    const startOf = (): string => (start ??= startKey(elementHash(list.element(0))));
    const names = conversationNames(request, list, startOf);
    const { key } = names;
    const isBeside = isSideRequest(request, list) || hasLeastAnswer(list);
    const inTurn = async (): Promise<Pruned<Given>> => {
      const conversation = await (isBeside ? this.#conversations.look(names) : this.#conversations.open(names));
      if (slices.isOver()) await slices.next();
      const pruned = conversation.queue(() => this.#inTurn(request, list, { conversation, slices, isBeside }));
      return pruned.finally(() => this.#conversations.used(key));
    };
    const instead = (): Pruned<Given> =>
      asSent(body, list, {
        conversation: this.#conversations.known(key),
        tools: { ...this.#tools, slices },
      });
    return unlessAborted(inTurn(), request.signal, instead);
  }

  async #asFrozen<Given extends Body>(
    { body, model = '' }: LiveRequest<Given>,
    list: RequestList,
    { conversation, slices, isBeside }: InTurn,
  ): Promise<Pruned<Given>> {
    const tools = { ...this.#tools, slices };
    const ping = isBeside ? await asPing(body, list, { conversation, tools }) : undefined;
    if (ping) {
      await this.#conversations.pinged(conversation, ping.branch);
      return ping.pruned;
    }
    const pruned = await asFrozen(body, list, { conversation, tools });
    if (!isBeside) return pruned;
    if (pruned.body === body) return untouched(body, 'side-request');
    // It keeps the prefix of its model in the cache.
    if (pruned.report.model === (list.field('model') ?? model)) conversation.sentAtMs = this.#conversations.nowMs();
    return pruned;
  }

  /** Starts again where another pruner decided about the same conversation first. */
  async #inTurn<Given extends Body>(
    request: LiveRequest<Given>,
    list: RequestList,
    at: InTurn,
  ): Promise<Pruned<Given>> {
    const { conversation, slices } = at;
    const renewed = await this.#conversations.renew(conversation);
    const isCurrent = renewed === conversation;
    if (renewed === undefined || (isCurrent && (at.isBeside || request.isCount || slices.isLate)))
      return this.#asFrozen(request, list, at);
    const turn = isCurrent ? await this.#turn(request, list, at) : undefined;
    if (turn) return turn;
    const other = isCurrent ? await this.#conversations.reopen(conversation) : renewed;
    return other.queue(() => this.#inTurn(request, list, { ...at, conversation: other }));
  }

  /** `undefined` if another pruner appended to the conversation meanwhile. */
  async #turn<Given extends Body>(
    { body, headers, model: given, signal }: LiveRequest<Given>,
    list: RequestList,
    { conversation, slices }: InTurn,
  ): Promise<Pruned<Given> | undefined> {
    const { dialect } = this.#tools;
    const { branch, shared, left } = conversation.continued(list, dialect);
    const isNew = left !== undefined;
    const last = (left ?? branch).lastRequest;
    const { decisions } = branch;
    const { seenFrom } = branch.history;
    const named = given ?? list.field('model');
    const model = typeof named === 'string' ? named : '';
    const isOff = this.#tools.isOff || conversation.facts.isOff;
    const tools = {
      ...this.#tools,
      isOff,
      strategy: conversation.facts.strategy,
      slices,
      counter: promptCounter(model),
    };
    await branch.follow(list, shared, tools);
    branch.asked = askedBy({ headers, account: accountKey(headers) }, list, last);
    const changes = this.#changesSince(last, { branch, conversation, shared });
    branch.unaccepted.follow(branch.history.fresh);
    const news = branch.history.entries.slice(branch.history.startOf(shared));
    for (const { name } of unknownTools(news, this.#vocabulary)) branch.unknownTools.add(name);
    if (branch.model === undefined) branch.inherit(conversation.inherited);
    const sentAtMs = isClockOf(branch) ? this.#conversations.sentAtMs(conversation) : undefined;
    const idleMs = sentAtMs === undefined ? undefined : this.#conversations.nowMs() - sentAtMs;
    const { areShared } = this.#conversations;
    const isOther = branch.model !== undefined && branch.model !== model;
    const isRebuilt = isNew || branch.history.seenFrom !== seenFrom;
    const sharedEntries = isOther ? 0 : isRebuilt ? branch.history.startOf(shared) : undefined;
    const callsBefore = decisions.calls.calls.length;
    // A request that is sent again is as it was, but for references to what its provider may clear now.
    const isAgain = areShared && shared === list.length && branch.model === model;
    let decided = NOTHING_DECIDED;
    let steps: readonly ChangedForm[] = [];
    try {
      const { key } = conversation.facts;
      if (!isOff && !isAgain) steps = decideSteps(branch, { list, key, model, idleMs }, tools.cache);
      if (isAgain) repeatTurn(branch, areShared);
      else {
        decided = await decideTurn(branch, { list, shared, isShared: areShared, model, conversation, idleMs }, tools);
        const keptTokens = decided.isEpoch ? decided.decision?.changed?.keptTokens : undefined;
        branch.noteCall({ idleMs, keptTokens, sharedEntries });
      }
      const turn = areShared && !isAgain ? { branch, model } : undefined;
      if (!(await this.#conversations.save(conversation, decisions, turn))) return undefined;
      // Its caller sent the original: what was never sent is not to be repeated.
      if (signal?.aborted) throw signal.reason;
    } catch {
      decisions.cutCalls(callsBefore);
      const changed = [...decided.changed, ...decided.named, ...steps];
      steps = [];
      await this.#takeBack(branch, { conversation, changed, model, idleMs, sharedEntries });
      decided = NOTHING_DECIDED;
    }
    branch.sent(model);
    conversation.sentAtMs = this.#conversations.nowMs();
    const report = reportOf(decided, { branch, conversation, model, tools, changes, isBranch: isNew });
    branch.unaccepted.sent([...decided.changed, ...decided.named, ...steps], list.length);
    if (!isAgain) this.#sent.add(report, branch, { pause: pauseBefore(branch, { model, idleMs }) });
    const onMade = (made: PruneReport): void => this.#sent.add(made, branch, { isWithoutNew: true });
    const again = withoutNew(branch, { body, list, report, dialect, onMade });
    const { replacements } = branch.projection;
    const sent = written(body, list, { replacements, steps: stepChanges(list, decisions.results, replacements) });
    return { body: sent, report, ...(again && { withoutNew: again }) };
  }

  /** What the agent changed of its last request. The same session of another account is another conversation. */
  #changesSince(
    last: ComparedRequest | undefined,
    { branch, conversation, shared }: { branch: Branch; conversation: Conversation; shared: number },
  ): readonly PromptChange[] {
    const { asked, lastRequest: now } = branch;
    if (asked === undefined || now === undefined) return [];
    if (last !== undefined) return promptChanges(last, now, shared);
    const other = this.#conversations.ofOtherAccount(conversation);
    return other === undefined ? [] : accountChanges(other, asked);
  }

  /** What was decided and is not sent is not to be repeated by later requests either. */
  async #takeBack(branch: Branch, { conversation, changed, model, ...call }: TakenBack): Promise<void> {
    const { decisions, history, projection } = branch;
    const turn = this.#conversations.areShared ? { branch, model } : undefined;
    decisions.rollBack();
    // Also what could not be written: it may have been, late.
    for (const { result, before } of changed) {
      if (before) decisions.freeze(before);
      else decisions.thaw(result.id);
    }
    projection.renew(history, decisions.results);
    branch.noteCall(call);
    // What cannot be written now is written with the next decision.
    await this.#conversations.save(conversation, decisions, turn).catch(() => {});
  }
}
