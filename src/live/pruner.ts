import { anyAgent } from '../content/vocabularies/vocabulary.ts';
import { HighDensityStrategy } from '../strategies/high-density/high-density.ts';
import { Branch, elementHash } from './branch.ts';
import type {
  Body,
  LiveRequest,
  ProviderAnswer,
  Pruned,
  PruneReport,
  Pruner,
  PrunerOptions,
  Untouched,
} from './contract.ts';
import { conversationKey, isSideRequest } from './conversation-key.ts';
import { LIVE_DIALECTS } from './dialects.ts';
import { FrozenDecisions } from './frozen.ts';
import { labelsOf } from './labels.ts';
import { RECOMMENDED_CONFIG } from './recommended-config.ts';
import { bytesList, NotUnderstood, objectList, type RequestList } from './request-list.ts';
import { type TurnTools, takeTurn } from './turn.ts';

/**
 * In the error for thinking whose prefix changed.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
const BOUND_WORDS = 'bound to a different conversation';
/** Most conversations, and branches of one, that are remembered; older ones are read again from their store. */
const MOST_CONVERSATIONS = 100;
const MOST_BRANCHES = 4;

/** The branches of one conversation, the last used one at the end. */
interface Conversation {
  readonly key: string;
  readonly branches: Branch[];
  /** What its store contains, for a branch that is seen first. */
  stored: FrozenDecisions;
  turn: Promise<unknown>;
}

class LivePruner implements Pruner {
  readonly #options: PrunerOptions;
  readonly #tools: Omit<TurnTools, 'strategy'>;
  readonly #conversations = new Map<string, Conversation>();
  readonly #strategies = new WeakMap<Branch, HighDensityStrategy>();

  constructor(options: PrunerOptions) {
    const { api, vocabulary = anyAgent, workspaceRoot = '/', config = RECOMMENDED_CONFIG } = options;
    this.#options = options;
    this.#tools = {
      dialect: LIVE_DIALECTS[api],
      labels: labelsOf(vocabulary, workspaceRoot),
      config: { ...config, workspaceRoot },
      archive: options.archive,
      agent: options.agent,
      now: options.now ?? (() => performance.now()),
    };
  }

  async prune<Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>> {
    try {
      return await this.#prune(request);
    } catch (error) {
      // The agent must go on, whatever happened here.
      return untouched(
        request.body,
        error instanceof NotUnderstood || error instanceof SyntaxError ? 'not-understood' : 'failed',
      );
    }
  }

  async pruneMessages<Message>(
    messages: readonly Message[],
    { model, conversation }: { model: string; conversation?: string },
  ): Promise<Message[]> {
    const { listKey } = this.#tools.dialect;
    const body = { model, tools: [{}], [listKey]: messages };
    const pruned = await this.prune({ body, model, ...(conversation !== undefined && { conversation }) });
    return [...(pruned.body[listKey] as readonly Message[])];
  }

  async observe(
    { conversation: key, model, projected }: PruneReport,
    { status, error = '', isBound = error.includes(BOUND_WORDS) }: ProviderAnswer,
  ): Promise<void> {
    const conversation = this.#conversations.get(key ?? '');
    if (conversation === undefined) return;
    const { stored, branches } = conversation;
    for (const decisions of new Set([stored, ...branches.map((branch) => branch.decisions)])) {
      if (isBound && model !== undefined && !decisions.boundModels.has(model)) decisions.bind(model);
      if (status === 400 && projected > 0) decisions.handOff();
    }
    // Where this cannot be kept it still holds until a restart.
    await this.#save(conversation, stored).catch(() => {});
  }

  async #prune<Given extends Body>(request: LiveRequest<Given>): Promise<Pruned<Given>> {
    const { listKey, elsewhere } = this.#tools.dialect;
    const { body } = request;
    const first = open(body, listKey, undefined, this.#newest());
    if (isSideRequest(request, first)) return untouched(body, 'side-request');
    if (elsewhere.some((name) => (first.field(name) ?? undefined) !== undefined))
      return untouched(body, 'history-elsewhere');
    if (first.length === 0) return untouched(body, 'side-request');
    const key = conversationKey(request, first, () => elementHash(first.element(0)));
    const conversation = await this.#conversation(key);
    const turn = conversation.turn.then(() => this.#turn(request, conversation));
    conversation.turn = turn.catch(() => {});
    return turn;
  }

  async #turn<Given extends Body>(
    { body, model }: LiveRequest<Given>,
    conversation: Conversation,
  ): Promise<Pruned<Given>> {
    const { branch, list, shared } = this.#branchOf(body, conversation);
    if (branch.decisions.isHandsOff) return untouched(body, 'hands-off');
    let strategy = this.#strategies.get(branch);
    if (strategy === undefined) {
      strategy = new HighDensityStrategy({ vocabulary: this.#options.vocabulary ?? anyAgent });
      this.#strategies.set(branch, strategy);
    }
    const named = model ?? list.field('model');
    const asked = typeof named === 'string' ? named : '';
    const turn = await takeTurn(branch, { list, shared, model: asked }, { ...this.#tools, strategy });
    await this.#save(conversation, branch.decisions);
    const report = { ...turn.report, conversation: conversation.key, model: asked };
    if (turn.replacements.length === 0) return { body, report };
    return { body: list.write(turn.replacements) as Given, report };
  }

  /** The branch that a request continues: the one with which it shares the most; a new one where it leaves its past. */
  #branchOf(body: Body, conversation: Conversation): { branch: Branch; list: RequestList; shared: number } {
    const { dialect } = this.#tools;
    const { branches } = conversation;
    const found = branches.map((branch) => {
      const list = open(body, dialect.listKey, branch.list, undefined);
      const hashAt = (index: number): string => elementHash(list.element(index));
      return { branch, list, shared: branch.shared(hashAt, list) };
    });
    const best = found.reduce<(typeof found)[number] | undefined>(
      (one, other) => (one && one.shared >= other.shared ? one : other),
      undefined,
    );
    if (best && best.shared === best.branch.elements.length) {
      branches.splice(branches.indexOf(best.branch), 1);
      branches.push(best.branch);
      return best;
    }
    // A rewind, a compaction or a fork: it inherits decisions, and the other branch may go on.
    const branch = new Branch(dialect, best ? new FrozenDecisions(best.branch.decisions) : conversation.stored);
    if (best) branch.leave(best.branch, best.shared);
    branches.push(branch);
    if (branches.length > MOST_BRANCHES) branches.shift();
    return { branch, list: best?.list ?? open(body, dialect.listKey, undefined, undefined), shared: best?.shared ?? 0 };
  }

  async #conversation(key: string): Promise<Conversation> {
    let conversation = this.#conversations.get(key);
    if (conversation === undefined) {
      const lines = (await this.#options.store?.load(key)) ?? [];
      conversation = this.#conversations.get(key) ?? {
        key,
        branches: [],
        stored: FrozenDecisions.of(lines),
        turn: Promise.resolve(),
      };
    }
    // The last used one is at the end.
    this.#conversations.delete(key);
    this.#conversations.set(key, conversation);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > MOST_CONVERSATIONS && oldest !== undefined) this.#conversations.delete(oldest);
    return conversation;
  }

  async #save({ key }: Conversation, decisions: FrozenDecisions): Promise<void> {
    const lines = decisions.takeUnsaved();
    if (lines.length > 0) await this.#options.store?.append(key, lines);
  }

  /** The list of the request before, which is most often of the same conversation. */
  #newest(): RequestList | undefined {
    return [...this.#conversations.values()].at(-1)?.branches.at(-1)?.list;
  }
}

function open(body: Body, key: string, before: RequestList | undefined, near: RequestList | undefined): RequestList {
  return body instanceof Uint8Array ? bytesList(body, key, before ?? near) : objectList(body, key, before ?? near);
}

const untouched = <Given extends Body>(body: Given, reason: Untouched): Pruned<Given> => ({
  body,
  report: { untouched: reason, changed: [], projected: 0, savedTokens: 0, isEpoch: false, pinned: [] },
});

/** A pruner for the requests of agents that speak one API. See docs/live.md. */
export function createPruner(options: PrunerOptions): Pruner {
  return new LivePruner(options);
}
