import { SerialQueue } from '../../serial-queue.ts';
import type { HighDensityStrategy } from '../../strategies/high-density/high-density.ts';
import type { LiveDialect } from '../request/dialects.ts';
import type { RequestList } from '../request/request-list.ts';
import { Branch } from './branch.ts';
import { elementHash } from './element.ts';
import { FrozenDecisions } from './frozen.ts';
import { holdsForAllBranches, shortHash, type TurnNote, turnLine, turnOf } from './turn-note.ts';

/** Of a list: what its texts take once they are read, some of them two bytes a character, with where each line stands; and what each of its values takes. */
const TEXT_RATIO = 4;
const VALUE_BYTES = 240;

/** Most branches of a conversation that are remembered. */
const MAX_BRANCHES = 4;

interface ConversationFacts {
  readonly key: string;
  /** The name of its start: conversations with the same start may be forks of one another. */
  readonly start: string;
  /** The agent's own name of the session; undefined where its requests have none. */
  readonly session: string | undefined;
  /** A hash of the account that pays; undefined where the credential names none. */
  readonly account: string | undefined;
  readonly strategy: HighDensityStrategy;
  /** True if nothing new of it is changed, as its store says. */
  readonly isOff: boolean;
  /** Conversations with the same start that its store knows. */
  readonly sameStarts: number;
}

/** The branch of a request, and how many elements its last request had too. */
interface FoundBranch {
  readonly branch: Branch;
  readonly shared: number;
  /** The branch whose past the request leaves; absent if it continues one, or is the first. */
  readonly left?: Branch;
}

/** All that requests of one name have shown: branches that share a start. */
export class Conversation {
  readonly facts: ConversationFacts;
  /** What its store contains, for a branch that is seen first. */
  stored: FrozenDecisions;
  /** What was decided in others with the same start. */
  inherited: FrozenDecisions;
  /** The last used one is at the end. */
  readonly branches: Branch[] = [];
  sentAtMs: number | undefined;
  /** True if its store contains something. */
  isWritten: boolean;
  /** The version of the lines that were read from its store. */
  version: number;
  /** True until a first request after it was read. */
  isJustRead = true;
  /** Branches that are written down where the store is shared. */
  writtenBranches = 0;
  /** Lines that hold for every branch. */
  readonly #lines: string[] = [];
  readonly #queue = new SerialQueue();
  #hasTexts = false;

  constructor(
    facts: ConversationFacts,
    { stored, inherited, isWritten, version }: Pick<Conversation, 'stored' | 'inherited' | 'isWritten' | 'version'>,
  ) {
    this.facts = facts;
    this.stored = stored;
    this.inherited = inherited;
    this.isWritten = isWritten;
    this.version = version;
  }

  /** Follows what other pruners wrote down. */
  learn(lines: readonly string[], dialect: LiveDialect): void {
    const changed = new Set<Branch>();
    let branch: Branch | undefined;
    for (const line of lines) {
      const turn = turnOf(line);
      if (turn) {
        branch = this.#branchOf(turn, dialect);
        branch.learn(turn, dialect);
        this.sentAtMs = Math.max(this.sentAtMs ?? turn.atMs, turn.atMs);
      }
      const isForAll = holdsForAllBranches(line);
      if (isForAll) this.#lines.push(line);
      for (const one of isForAll ? this.branches : branch ? [branch] : []) {
        if (!turn) one.written.lines.push(line);
        changed.add(one);
      }
    }
    for (const one of changed) one.restore(dialect);
    this.isWritten ||= lines.length > 0;
  }

  /** Forgets everything, because its store did. */
  reset(): void {
    this.branches.length = 0;
    this.#lines.length = 0;
    this.stored = new FrozenDecisions();
    this.inherited = new FrozenDecisions();
    this.isWritten = false;
    this.writtenBranches = 0;
    this.sentAtMs = undefined;
  }

  /** What is written down for a request that a branch has read. */
  turnLine(branch: Branch, facts: { readonly model: string; readonly atMs: number }): string {
    const { written, lifetimeMs, constantTokens } = branch;
    const { number = this.writtenBranches, left, elements: shared } = written;
    const hashes = branch.history.elements.slice(shared).map(({ hash }) => shortHash(hash));
    const rest = { lifetimeMs, constantTokens, ...facts };
    return turnLine({ branch: number, ...(left !== undefined && { left }), shared, hashes, ...rest });
  }

  /** The lines, the first of which `turnLine` gave, are in the store. */
  written(branch: Branch, [, ...decisions]: readonly string[]): void {
    branch.written.number ??= this.writtenBranches++;
    branch.written.elements = branch.length;
    for (const line of decisions) {
      branch.written.lines.push(line);
      if (holdsForAllBranches(line)) this.#lines.push(line);
    }
  }

  #branchOf({ branch: number, left, shared }: TurnNote, dialect: LiveDialect): Branch {
    let branch = this.branches.find((one) => one.written.number === number);
    if (branch) this.branches.splice(this.branches.indexOf(branch), 1);
    else {
      branch = new Branch(dialect, new FrozenDecisions());
      branch.written.lines = [...this.#lines];
      const parent = this.branches.find((one) => one.written.number === left);
      if (parent) branch.leave(parent, shared, dialect);
      this.writtenBranches = Math.max(this.writtenBranches, number + 1);
    }
    this.#add(branch);
    return branch;
  }

  /** The last used one is at the end. */
  #add(branch: Branch): void {
    this.branches.push(branch);
    if (this.branches.length > MAX_BRANCHES) this.branches.shift();
  }

  get newest(): RequestList | undefined {
    return this.branches.at(-1)?.history.list;
  }

  /** Lets go of the texts of its results, which are in the bytes of its requests. */
  releaseTexts(): void {
    for (const { history } of this.branches) history.texts.release();
    this.facts.strategy.release();
    this.#hasTexts = false;
  }

  /** What it takes in memory, estimated. */
  get keptBytes(): number {
    const textRatio = this.#hasTexts ? 1 + TEXT_RATIO : 1;
    const sizeOf = ({ history: { list }, written: { lines } }: Branch): number =>
      (list ? textRatio * list.sizeBytes + VALUE_BYTES * list.values : 0) +
      lines.reduce((sum, line) => sum + line.length, 0);
    return this.branches.reduce((sum, branch) => sum + sizeOf(branch), 0);
  }

  /** Runs after what was queued before. */
  queue<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#hasTexts = true;
    return this.#queue.run(work);
  }

  /** The branch with which a request shares the most; undefined if there is none. */
  closest(list: RequestList): FoundBranch | undefined {
    const hashes: string[] = [];
    const hashAt = (index: number): string => {
      hashes[index] ??= elementHash(list.element(index));
      return hashes[index];
    };
    let best: FoundBranch | undefined;
    for (const branch of this.branches) {
      const shared = branch.shared(hashAt, list);
      if (best === undefined || shared >= best.shared) best = { branch, shared };
    }
    return best;
  }

  /** True for an element that a request of another branch had. */
  isKnownElsewhere(branch: Branch, hash: string): boolean {
    return this.branches.some((one) => one !== branch && one.history.elements.some((element) => element.hash === hash));
  }

  /** The branch that a request continues; a new one where it leaves the past of the others. */
  continued(list: RequestList, dialect: LiveDialect): FoundBranch {
    const best = this.closest(list);
    const last = this.branches.at(-1);
    if (best && best.shared === best.branch.length) {
      this.branches.splice(this.branches.indexOf(best.branch), 1);
      this.branches.push(best.branch);
      // The rules know the history of the branch that was used last.
      if (best.branch !== last) best.branch.ruledEntries = 0;
      return best;
    }
    // A rewind, a compaction or a fork: it inherits decisions, and the other branch may go on.
    const branch = new Branch(dialect, best ? new FrozenDecisions(best.branch.decisions) : this.stored);
    if (best) branch.leave(best.branch, best.shared, dialect);
    if (best?.branch !== last) branch.ruledEntries = 0;
    this.#add(branch);
    return { branch, shared: best?.shared ?? 0, ...(best && { left: best.branch }) };
  }
}
