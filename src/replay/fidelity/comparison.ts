import type { IContent } from '../../content/content.ts';
import { type FileAccessOf, rememberedFileAccess } from '../../content/remembered-access.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import { liveHistory, type Session } from '../../formats/contract.ts';
import { createEphemerals } from '../../settings/resolve.ts';
import type { CountBlock } from '../block-counter.ts';
import { BlockMarks, MarkPlaces } from './block-marks.ts';
import { CHANGE_RULES, type ChangeRule } from './changed-items.ts';
import { type LintFinding, lintHistory, newFindings } from './lint.ts';
import { type Need, needsOf } from './needs.ts';
import type { Policy } from './policy.ts';
import { type ContextMove, PolicyRun } from './policy-run.ts';
import { type Bill, billed, type CacheLifetime, EMPTY_BILL, intakeOf, PrefixCache } from './prefix-cache.ts';
import { pricesOf } from './prices.ts';
import { type Regret, RegretLedger } from './regrets.ts';
import { TextPlaces } from './text-places.ts';
import { checkUsage, type UsageCheck } from './usage-check.ts';

/** What one session did under one policy. Tokens are those of the history, system prompt and tools apart. */
export interface PolicyOutcome {
  readonly policy: string;
  /** Model calls. */
  readonly calls: number;
  /** What all calls together had before their eyes, and the most that one had. */
  readonly tokensSent: number;
  readonly tokensPeak: number;
  readonly compressions: number;
  /** Steps of pruning that were applied, and what they and compressions took away, less what came in its place. */
  readonly optimizations: number;
  readonly removedTokens: Readonly<Record<ChangeRule, number>>;
  /** Edits whose old text the recorded agent had before its eyes. */
  readonly evidencedEdits: number;
  readonly regrets: readonly Regret[];
  /** What a provider would refuse of the history at the end that it would not of the recorded one. */
  readonly lintFindings: readonly LintFinding[];
  /** With a prefix cache of five minutes, and of an hour. */
  readonly bill: Bill;
  readonly billHour: Bill;
}

/** A session and what it is played with. */
export interface ComparedSession {
  readonly session: Session;
  readonly vocabulary: ToolVocabulary;
  readonly model: string;
  readonly countBlock: CountBlock;
}

/** The system prompt and tools where nothing is recorded. Source: first calls of 500 recorded Claude Code sessions, about 20,000. */
const USUAL_CONSTANT_TOKENS = 20_000;

const LIFETIMES: readonly CacheLifetime[] = ['5m', '1h'];

/** One session under each of these policies, side by side. Asks no model. @throws what a strategy throws. */
export async function comparePolicies(
  compared: ComparedSession,
  policies: readonly Policy[],
): Promise<readonly PolicyOutcome[]> {
  const { session, countBlock } = compared;
  const marks = new BlockMarks();
  const needs = needsOf(session, marks);
  const tokensOf = entryTokens(countBlock);
  const recorded = liveHistory(session);
  const places = new TextPlaces(session);
  const shared = {
    marks: new MarkPlaces(marks, { entries: places.entries, wanted: needs.flatMap(({ anyOf }) => anyOf.flat()) }),
    places,
    needs: byEvent(needs),
    evidencedEdits: needs.filter(({ kind }) => kind === 'edit').length,
    tokensOf,
    constantTokens: constantTokensOf(compared, tokensOf),
    fileAccess: rememberedFileAccess(),
    recorded,
    recordedFindings: lintHistory(recorded),
  };
  const outcomes: PolicyOutcome[] = [];
  for (const policy of policies) outcomes.push(await new PolicyMeasure(compared, policy, shared).run());
  return outcomes;
}

/** The cost model against the usage that was recorded; `undefined` where none was. */
export function playedAsRecorded(compared: ComparedSession): UsageCheck | undefined {
  const tokensOf = entryTokens(compared.countBlock);
  const constantTokens = constantTokensOf(compared, tokensOf);
  return checkUsage(compared.session, { tokensOf, constantTokens, lifetime: '5m' });
}

function byEvent(needs: readonly Need[]): ReadonlyMap<number, readonly Need[]> {
  const events = new Map<number, Need[]>();
  for (const need of needs) {
    const here = events.get(need.event);
    if (here === undefined) events.set(need.event, [need]);
    else here.push(need);
  }
  return events;
}

/** Tokens of an entry, the sum over its blocks, each entry looked at once. */
function entryTokens(count: CountBlock): (entry: IContent) => number {
  const known = new Map<IContent, number>();
  return (entry) => {
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const tokens = entry.blocks.reduce((sum, block) => sum + count(block), 0);
    known.set(entry, tokens);
    return tokens;
  };
}

/** What every call carries beside the history: by the first usage that was recorded, else by the recorded text. */
function constantTokensOf(
  { session, countBlock }: Pick<ComparedSession, 'session' | 'countBlock'>,
  tokensOf: (entry: IContent) => number,
): number {
  let before = 0;
  for (const event of session.events) {
    if (event.kind === 'replace') break;
    const { usage } = event.content.metadata ?? {};
    if (usage !== undefined && usage.promptTokens > 0) return Math.max(0, usage.promptTokens - before);
    before += tokensOf(event.content);
  }
  const { systemText } = session;
  return systemText === undefined ? USUAL_CONSTANT_TOKENS : countBlock({ type: 'text', text: systemText });
}

/** What is found in a session once for all policies. */
interface Shared {
  readonly marks: MarkPlaces;
  readonly places: TextPlaces;
  readonly needs: ReadonlyMap<number, readonly Need[]>;
  readonly evidencedEdits: number;
  readonly tokensOf: (entry: IContent) => number;
  readonly constantTokens: number;
  readonly fileAccess: FileAccessOf;
  readonly recorded: readonly IContent[];
  readonly recordedFindings: readonly LintFinding[];
}

class PolicyMeasure {
  readonly #compared: ComparedSession;
  readonly #policy: Policy;
  readonly #shared: Shared;
  readonly #ledger: RegretLedger;
  readonly #bills: Record<CacheLifetime, Bill> = { '5m': EMPTY_BILL, '1h': EMPTY_BILL };
  readonly #removed: Record<ChangeRule, number>;
  #calls = 0;
  #sent = 0;
  #peak = 0;
  #compressions = 0;
  #optimizations = 0;

  constructor(compared: ComparedSession, policy: Policy, shared: Shared) {
    this.#compared = compared;
    this.#policy = policy;
    this.#shared = shared;
    const { marks, places } = shared;
    this.#ledger = new RegretLedger({ marks, places, countBlock: compared.countBlock });
    this.#removed = Object.fromEntries(CHANGE_RULES.map((rule) => [rule, 0])) as Record<ChangeRule, number>;
  }

  async run(): Promise<PolicyOutcome> {
    const { session, vocabulary, model } = this.#compared;
    const { needs, tokensOf, constantTokens, fileAccess, recorded, recordedFindings, evidencedEdits } = this.#shared;
    const prices = pricesOf(model);
    const thinkingTokensOf = (entry: IContent): number => this.#thinkingTokens(entry);
    const cache = new PrefixCache({ tokensOf, thinkingTokensOf, constantTokens });
    const ephemerals = createEphemerals([this.#policy.settings], { model });
    const run = new PolicyRun(
      session,
      { ephemerals, vocabulary, tokensOf, constantTokens, fileAccess },
      {
        before: (event) => {
          const here = needs.get(event);
          if (here !== undefined) this.#ledger.check(here);
        },
        added: (entry) => this.#ledger.add(entry),
        moved: (after, move) => this.#moved(after, move),
        called: (entries, { answer, atMs }) => {
          const outputTokens = answer.metadata?.usage?.completionTokens ?? tokensOf(answer);
          const prompt = cache.call(entries, atMs);
          for (const lifetime of LIFETIMES) {
            const intake = intakeOf(prompt, lifetime);
            this.#bills[lifetime] = billed(this.#bills[lifetime], intake, { outputTokens, prices, lifetime });
          }
          const tokens = prompt.promptTokens - constantTokens;
          this.#calls++;
          this.#sent += tokens;
          this.#peak = Math.max(this.#peak, tokens);
        },
      },
    );
    const left = await run.play();
    const isAsRecorded = left.length === recorded.length && left.every((entry, at) => entry === recorded[at]);
    const refused = isAsRecorded ? [] : newFindings(recordedFindings, lintHistory(left));
    return {
      policy: this.#policy.name,
      calls: this.#calls,
      tokensSent: this.#sent,
      tokensPeak: this.#peak,
      compressions: this.#compressions,
      optimizations: this.#optimizations,
      removedTokens: this.#removed,
      evidencedEdits,
      regrets: this.#ledger.regrets,
      lintFindings: refused.filter(({ severity }) => severity === 'refused'),
      bill: this.#bills['5m'],
      billHour: this.#bills['1h'],
    };
  }

  #moved(after: readonly IContent[], { kind, items, turn, changes }: ContextMove): void {
    if (changes === undefined) this.#ledger.move(after, { items, turn });
    else this.#ledger.edit(changes, { items, turn });
    if (kind === 'compressed') this.#compressions++;
    if (kind === 'optimized') this.#optimizations++;
    const { countBlock } = this.#compared;
    for (const { rule, block, replacement } of items) {
      this.#removed[rule] += countBlock(block) - (replacement === undefined ? 0 : countBlock(replacement));
    }
  }

  #thinkingTokens({ blocks }: IContent): number {
    const { countBlock } = this.#compared;
    return blocks.reduce((sum, block) => {
      const isBound =
        block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined);
      return isBound ? sum + countBlock(block) : sum;
    }, 0);
  }
}
