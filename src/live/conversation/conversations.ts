import { randomUUID } from 'node:crypto';
import type { ToolCallBlock } from '../../content/content.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { CopiedMarker } from '../../guard/contract.ts';
import { HighDensityStrategy } from '../../strategies/high-density/high-density.ts';
import type { PrunerStore, StoredLines } from '../contract.ts';
import { copyNow } from '../copied-markers.ts';
import { KeptMemory } from '../kept-memory.ts';
import { memoryStore } from '../memory-store.ts';
import type { ConversationNames } from '../request/conversation-key.ts';
import type { LiveDialect } from '../request/dialects.ts';
import type { RequestList } from '../request/request-list.ts';
import { forksOf, isSwitch, isSwitchedOff, NO_FORKS, sessionLine, startLine, switchLine } from '../stored-lines.ts';
import type { Branch } from './branch.ts';
import { Conversation } from './conversation.ts';
import { FrozenDecisions } from './frozen.ts';

/** Most conversations that are remembered; older ones are read again from their store. */
const MAX_CONVERSATIONS = 100;
/** What a pruner keeps of them: six conversations of a million tokens, with the texts of their results. */
const MAX_KEPT_BYTES = 128 * 1024 * 1024;
/** The last used ones: the others release the texts of their results. */
const MAX_WITH_TEXTS = 8;
/** So many conversations with the same start are no forks: a program starts them. More are not noted. */
const MAX_SAME_STARTS = 64;

/** Says nothing but when it was written. */
const PING_LINE = JSON.stringify({ ping: true });

interface ConversationsOptions {
  /** What several pruners may keep together; absent: each has its own. */
  readonly memory: KeptMemory | undefined;
  readonly store: PrunerStore | undefined;
  readonly vocabulary: ToolVocabulary;
  readonly dialect: LiveDialect;
  readonly now: () => number;
}

/** All conversations of a pruner, and their store. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #store: PrunerStore;
  readonly #memory: KeptMemory;
  /** What the clock of the store is ahead of this one. */
  #aheadMs = 0;
  /** When a store that is shared did not answer last: since then others may have sent what is not written down. */
  #failedAtMs = Number.NEGATIVE_INFINITY;
  /** The last used one is at the end. */
  readonly #known = new Map<string, Conversation>();
  /** Before the names of its conversations in the memory, which other pruners have too. */
  readonly #name = randomUUID();

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#store = options.store ?? memoryStore();
    this.#memory = options.memory ?? new KeptMemory(MAX_KEPT_BYTES);
  }

  get areShared(): boolean {
    return this.#store.isShared === true;
  }

  /** The clock that all who use the store share; milliseconds. */
  nowMs(): number {
    return this.#options.now() + this.#aheadMs;
  }

  known(key: string): Conversation | undefined {
    return this.#known.get(key);
  }

  /** The marker of a conversation that a call of it would write, if it is in none of these texts. */
  copyOf(call: ToolCallBlock, texts: Iterable<string>): CopiedMarker | undefined {
    for (const { branches } of this.#known.values())
      for (const branch of branches) {
        const copy = copyNow(call, branch, { vocabulary: this.#options.vocabulary, texts });
        if (copy !== undefined) return copy;
      }
    return undefined;
  }

  /** The same session, as another account asked for it last; undefined if that is not known. */
  ofOtherAccount({ facts: { session, start, account } }: Conversation): Conversation['facts'] | undefined {
    if (session === undefined || account === undefined) return undefined;
    const isSame = ({ facts }: Conversation): boolean => facts.session === session && facts.start === start;
    return [...this.#known.values()].findLast((one) => isSame(one) && one.facts.account !== account)?.facts;
  }

  /** The list of the request before. */
  get newest(): RequestList | undefined {
    return [...this.#known.values()].at(-1)?.newest;
  }

  /** The conversation of this name. @throws what the store throws. */
  async open(names: ConversationNames): Promise<Conversation> {
    const { key } = names;
    const conversation = this.#known.get(key) ?? (await this.#read(names));
    this.#known.delete(key);
    this.#known.set(key, conversation);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CONVERSATIONS && oldest !== undefined) {
      this.#known.delete(oldest);
      this.#memory.forget(this.#name + oldest);
    }
    [...this.#known.values()].at(-1 - MAX_WITH_TEXTS)?.releaseTexts();
    return conversation;
  }

  /** Notes that a request of a conversation was looked at. What then exceeds the memory is dropped: it is read again from the store. */
  used(key: string): void {
    const conversation = this.#known.get(key);
    if (conversation === undefined) return;
    this.#memory.use(this.#name + key, {
      get keptBytes() {
        return conversation.keptBytes;
      },
      release: () => conversation.releaseTexts(),
      drop: () => {
        if (this.#known.get(key) === conversation) this.#known.delete(key);
      },
    });
  }

  /** The conversation for a request that is no part of it: one that is not known here is read, and not remembered. @throws what the store throws. */
  async look(names: ConversationNames): Promise<Conversation> {
    return this.#known.get(names.key) ?? (await this.#read(names));
  }

  /** The conversation as its store has it now, after others appended to it. @throws what the store throws: then it is as it was. */
  async reopen(conversation: Conversation): Promise<Conversation> {
    const { key, session, account, start } = conversation.facts;
    // Another request may have read it again meanwhile.
    if (this.#known.get(key) === conversation) this.#known.delete(key);
    try {
      return await this.open({ key, session, account, startOf: () => start });
    } catch (error) {
      if (!this.#known.has(key)) this.#known.set(key, conversation);
      throw error;
    }
  }

  /** The conversation with what others appended to it; `undefined` if the store does not answer. */
  async renew(conversation: Conversation): Promise<Conversation | undefined> {
    if (conversation.isJustRead) {
      conversation.isJustRead = false;
      return conversation;
    }
    try {
      if (!this.areShared) {
        const version = await this.#store.version?.(conversation.facts.key);
        return version === undefined || version === conversation.version
          ? conversation
          : await this.reopen(conversation);
      }
      const stored = await this.#load(conversation.facts.key, conversation.version);
      if (stored.isWhole) conversation.reset();
      conversation.learn(stored.lines, this.#options.dialect);
      conversation.version = stored.version;
      if (stored.isWhole) conversation.sentAtMs = undefined;
      return conversation;
    } catch {
      return undefined;
    }
  }

  /** When this prefix was sent last, here or in a fork; `undefined` if that is not known. */
  sentAtMs({ facts: { start }, sentAtMs }: Conversation): number | undefined {
    if (sentAtMs === undefined || sentAtMs <= this.#failedAtMs) return undefined;
    let latest = sentAtMs;
    for (const other of this.#known.values())
      if (other.facts.start === start) latest = Math.max(latest, other.sentAtMs ?? latest);
    return latest;
  }

  /**
   * Writes down what was decided; false if others appended first. @throws what the store throws. In both cases it is not written
   * down. `turn`: the request that a branch of a shared conversation has read.
   */
  async save(
    conversation: Conversation,
    decisions: FrozenDecisions,
    turn?: { readonly branch: Branch; readonly model: string },
  ): Promise<boolean> {
    const { facts, isWritten, version } = conversation;
    const { key, isOff } = facts;
    // The next request shows calls without a removal again. If another process turned pruning on, this is seen at the next write.
    if (!turn && !isWritten && !isOff && !decisions.isUnwritten) return true;
    const notes = decisions.take();
    const first = turn
      ? [conversation.turnLine(turn.branch, { model: turn.model, atMs: this.nowMs() })]
      : isWritten
        ? []
        : this.#firstLines(conversation);
    const lines = [...first, ...notes.map(({ line }) => line)];
    if (lines.length === 0) return true;
    let saved: number | undefined;
    try {
      saved = await this.#store.append(key, lines, version);
    } catch (error) {
      this.#failedAtMs = this.nowMs();
      throw error;
    } finally {
      if (saved === undefined) decisions.putBack(notes);
    }
    if (saved === undefined) return false;
    conversation.version = saved;
    conversation.isWritten = true;
    if (turn) conversation.written(turn.branch, lines);
    if (!isWritten) await this.#noteStart(conversation);
    return true;
  }

  /** What a conversation begins with in its store. A store of others is on no computer that has the recording. */
  #firstLines({ facts: { isOff, session } }: Conversation): string[] {
    if (this.areShared) return [];
    return [...(session === undefined ? [] : [sessionLine(session)]), ...(isOff ? [switchLine('off')] : [])];
  }

  /** A fork under another name finds it by its start. Without that the fork is sent as it is. */
  async #noteStart({ facts: { key, start, account, sameStarts } }: Conversation): Promise<void> {
    if (start === key || sameStarts >= MAX_SAME_STARTS) return;
    await this.#store.append(start, [startLine({ key, account })]).catch(() => {});
  }

  /** Where the store is not shared, the time of the last line counts. Undefined for a branch that is not known to have asked a model. */
  #pingLine(conversation: Conversation, branch: Branch | undefined, atMs: number): string | undefined {
    if (!this.areShared) return PING_LINE;
    return branch?.model === undefined ? undefined : conversation.turnLine(branch, { model: branch.model, atMs });
  }

  /** Notes that the cache of a branch was read now, by a request that is no call. */
  async pinged(conversation: Conversation, branch: Branch | undefined): Promise<void> {
    const atMs = this.nowMs();
    conversation.sentAtMs = atMs;
    const { facts, isWritten, version } = conversation;
    const line = this.#pingLine(conversation, branch, atMs);
    if (!isWritten || line === undefined) return;
    try {
      conversation.version = (await this.#store.append(facts.key, [line], version)) ?? version;
    } catch {
      // A clock that cannot be written down counts for nobody.
      this.#failedAtMs = atMs;
    }
  }

  /**
   * Notes that the cache of a branch is read now by a ping of ours, before it is sent. False if that cannot be written down, or another
   * process appended first, which may have sent one itself: then none may be sent.
   */
  async keepWarm(conversation: Conversation, branch: Branch): Promise<boolean> {
    const { facts, isWritten, version } = conversation;
    const atMs = this.nowMs();
    const line = this.#pingLine(conversation, branch, atMs);
    if (line === undefined) return false;
    const lines = isWritten ? [line] : [...this.#firstLines(conversation), line];
    let saved: number | undefined;
    try {
      // In a file, also what is refused is written, and then another process would be refused too.
      const there = await this.#store.version?.(facts.key);
      if (there === undefined || there === version) saved = await this.#store.append(facts.key, lines, version);
    } catch {
      this.#failedAtMs = atMs;
    }
    if (saved === undefined) return false;
    conversation.version = saved;
    conversation.sentAtMs = atMs;
    conversation.isWritten = true;
    if (!isWritten) await this.#noteStart(conversation);
    return true;
  }

  /** Writes down what holds for the conversation whatever others append. @throws what the store throws. */
  async note(conversation: Conversation, decisions: FrozenDecisions): Promise<void> {
    // What it had before it was read again is not in it: the next request reads that too.
    const isOwn = [conversation.stored, ...conversation.branches.map((one) => one.decisions)].includes(decisions);
    if (!this.areShared && isOwn && (await this.save(conversation, decisions))) return;
    const notes = decisions.take();
    if (notes.length === 0) return;
    try {
      await this.#store.append(
        conversation.facts.key,
        notes.map(({ line }) => line),
      );
    } catch (error) {
      decisions.putBack(notes);
      throw error;
    }
  }

  async #load(key: string, after?: number): Promise<StoredLines> {
    try {
      const stored = await this.#store.load(key, after);
      if (stored.nowMs !== undefined) this.#aheadMs = stored.nowMs - this.#options.now();
      return stored;
    } catch (error) {
      this.#failedAtMs = this.nowMs();
      throw error;
    }
  }

  async #read({ key, session, account, startOf }: ConversationNames): Promise<Conversation> {
    const start = startOf();
    const { lines, version, appendedAtMs } = await this.#load(key);
    const isWritten = lines.some((line) => line !== '' && !isSwitch(line));
    const names = { key, session, account, start };
    const forks = isWritten ? NO_FORKS : await forksOf(this.#store, names).catch(() => NO_FORKS);
    // Another request may have read it meanwhile.
    const known = this.#known.get(key);
    if (known) return known;
    const strategy = new HighDensityStrategy({ vocabulary: this.#options.vocabulary });
    const isOff = isSwitchedOff(lines) ?? forks.isOff;
    const stored = FrozenDecisions.of(this.areShared ? [] : lines);
    const inherited = FrozenDecisions.of(forks.inherited);
    const conversation = new Conversation(
      { ...names, strategy, isOff, sameStarts: forks.sameStarts },
      { stored, inherited, isWritten, version },
    );
    if (this.areShared) conversation.learn(lines, this.#options.dialect);
    else if (isWritten) conversation.sentAtMs = appendedAtMs;
    return conversation;
  }
}
