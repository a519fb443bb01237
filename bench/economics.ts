import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { namedSessions } from '../src/cli/options/named-sessions.ts';
import type { IContent } from '../src/content/content.ts';
import type { Session, SessionFormat } from '../src/formats/contract.ts';
import type { CallBill } from '../src/lab/played/played-bill.ts';
import { PlayedSession } from '../src/lab/policy-outcome.ts';
import { recommendedBill } from '../src/lab/recommended-bill.ts';
import { DEFAULT_THRESHOLD_RATIO } from '../src/strategies/threshold.ts';
import { blockCounter } from '../src/tokens/entries/block-counter.ts';
import { contextLimitOfModel } from '../src/tokens/models.ts';
import { billAgreement } from './bill-agreement.ts';
import { type FrontierSession, frontier, promptOf } from './frontier.ts';
import { readSessions } from './recordings.ts';
import { type Row, rowOf } from './row.ts';

const folder = (name: string): string => path.resolve(import.meta.dirname, '../../../shared', name);

/** Recorded sessions that are reported together: those that the rules were chosen on, and those of models of 2026. */
interface SessionSet {
  /** What the names of its rows begin with. */
  readonly prefix: string;
  readonly folders: readonly string[];
  readonly scenarios: readonly Scenario[];
}

/** A generation of prices and cache rules, and the lifetime that the agent asks for. */
interface Scenario {
  readonly name: string;
  readonly model: string;
  readonly cacheMinutes?: number;
  /** True: every answer has signed thinking, as with models that always think. */
  readonly alwaysThinks?: true;
}

const OPUS_5: readonly Scenario[] = [
  { name: 'opus-5-5min', model: 'claude-opus-5', cacheMinutes: 5 },
  { name: 'opus-5-1h', model: 'claude-opus-5', cacheMinutes: 60 },
];
const BOUND: Scenario = { name: 'opus-5.5-bound', model: 'claude-opus-5-5', cacheMinutes: 5, alwaysThinks: true };
const GPT_5_6: Scenario = { name: 'gpt-5.6', model: 'gpt-5.6-sol' };

const SCENARIOS: readonly Scenario[] = [
  { name: 'claude-4.5-5min', model: 'claude-sonnet-4-5', cacheMinutes: 5 },
  { name: 'claude-4.5-1h', model: 'claude-sonnet-4-5', cacheMinutes: 60 },
  ...OPUS_5,
  BOUND,
  { name: 'gpt-5.5', model: 'gpt-5.5' },
  GPT_5_6,
  { name: 'gemini-3.1', model: 'gemini-3.1-pro-preview' },
];

const SETS: readonly SessionSet[] = [
  { prefix: 'economics', folders: ['data', 'more-data'].map(folder), scenarios: SCENARIOS },
  { prefix: 'economics.of-2026', folders: [folder('modern-data')], scenarios: [...OPUS_5, BOUND, GPT_5_6] },
];

/** Agents with fewer sessions have no rows of their own. */
const MIN_SESSIONS = 5;

/** Tokens of system prompt and tools where no usage says more; as `density compare` takes it. */
const DEFAULT_CONSTANT_TOKENS = 20_000;

/** The repository of each recorded session, so that its own length is not known to the decision. */
function repositories(folders: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const manifest = path.join(folder, 'manifest.json');
    if (!existsSync(manifest)) continue;
    for (const { file, repo } of JSON.parse(readFileSync(manifest, 'utf8')) as { file: string; repo?: string }[])
      if (repo !== undefined) found.set(path.join(folder, file), repo);
  }
  return found;
}

interface Played {
  readonly file: string;
  readonly session: Session;
  readonly repository: string | undefined;
  readonly format: SessionFormat;
}

function recordedSessions(folders: readonly string[]): readonly Played[] {
  const repos = repositories(folders);
  const { files } = namedSessions(folders.filter((folder) => existsSync(folder)));
  return readSessions(files).map((read) => ({ ...read, repository: repos.get(read.file) }));
}

/** The session as a model that always thinks would have recorded it. */
function thinking(session: Session): Session {
  const events = session.events.map((event) => {
    if (event.kind === 'replace' || event.content.speaker !== 'ai') return event;
    const thought = { type: 'thinking', thought: '', signature: 'bound' } as const;
    return { ...event, content: { ...event.content, blocks: [thought, ...event.content.blocks] } };
  });
  return { ...session, events };
}

interface Outcome extends FrontierSession {
  readonly format: string;
}

async function playUnder(played: Played, scenario: Scenario): Promise<Outcome> {
  const { format, repository } = played;
  const session = scenario.alwaysThinks ? thinking(played.session) : played.session;
  const countBlock = blockCounter(scenario.model);
  const known = new Map<IContent, number>();
  const tokensOf = (entry: IContent): number => {
    let tokens = known.get(entry);
    if (tokens === undefined) {
      tokens = entry.blocks.reduce((sum, block) => sum + countBlock(block), 0);
      known.set(entry, tokens);
    }
    return tokens;
  };
  const constantTokens = DEFAULT_CONSTANT_TOKENS;
  const { moves, ...bill } = await recommendedBill({
    session,
    vocabulary: format.vocabulary,
    model: scenario.model,
    cacheMinutes: scenario.cacheMinutes,
    repository,
    tokensOf,
    constantTokens,
  });
  // No bill is read from its outcome, so the lifetime does not matter.
  const lab = new PlayedSession(session, {
    model: scenario.model,
    countBlock,
    tokensOf,
    constantTokens,
    lifetimeMs: 0,
  });
  const pruned = lab.under(moves);
  return {
    ...bill,
    file: played.file,
    format: format.name,
    tokensSentRaw: historyTokens(bill.calls.map(({ recorded }) => recorded)),
    tokensSent: historyTokens(bill.calls.map((call) => call.pruned)),
    evidencedEdits: pruned.evidencedEdits,
    regrettedEdits: pruned.regrets.filter(({ kind }) => kind === 'edit').length,
  };
}

/** Tokens of all prompts, without system prompt and tools. */
const historyTokens = (calls: readonly CallBill[]): number =>
  sum(calls.map((call) => promptOf(call) - DEFAULT_CONSTANT_TOKENS));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const percent = (ratio: number): string => `${ratio > 0 ? '+' : ''}${(100 * ratio).toFixed(2)}%`;

/** The bill with `recommended` beside the bill without pruning, per agent and generation of prices. */
async function neverMoreExpensive(
  sessions: readonly Played[],
  { prefix, scenarios }: SessionSet,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    const name = `${prefix}.${scenario.name}`;
    const outcomes: Outcome[] = [];
    for (const played of sessions) outcomes.push(await playUnder(played, scenario));
    const moreExpensive = outcomes.filter(({ without, recommended }) => recommended > 1.01 * without);
    console.log(`\n${name} (${scenario.model}): no pruning, recommended, change, sessions over 1% more expensive`);
    for (const format of [...new Set(outcomes.map((outcome) => outcome.format))].sort()) {
      const own = outcomes.filter((outcome) => outcome.format === format);
      const without = sum(own.map((one) => one.without));
      const recommended = sum(own.map((one) => one.recommended));
      const more = own.filter((one) => one.recommended > 1.01 * one.without).length;
      console.log(
        `  ${format.padEnd(20)} $${without.toFixed(2).padStart(8)} $${recommended.toFixed(2).padStart(8)} ${percent(recommended / without - 1).padStart(8)}  ${more} of ${own.length}`,
      );
      if (own.length >= MIN_SESSIONS)
        rows.push(rowOf(`${name}.${format}.change`, 'percent', [100 * (recommended / without - 1)]));
    }
    const without = sum(outcomes.map((one) => one.without));
    const recommended = sum(outcomes.map((one) => one.recommended));
    console.log(
      `  all: ${percent(recommended / without - 1)}, over 1% more expensive: ${moreExpensive.length} of ${outcomes.length}`,
    );
    rows.push(
      rowOf(`${name}.change`, 'percent', [100 * (recommended / without - 1)]),
      rowOf(`${name}.more-expensive`, 'percent', [(100 * moreExpensive.length) / outcomes.length]),
      ...frontier(name, outcomes, {
        thresholdTokens: DEFAULT_THRESHOLD_RATIO * contextLimitOfModel(scenario.model),
      }),
    );
  }
  return rows;
}

/** All recorded sessions under the prices of each generation. */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const set of SETS) {
    const sessions = recordedSessions(set.folders);
    if (sessions.length === 0) console.log(`No recorded sessions at ${set.folders.join(' or ')}: nothing is measured.`);
    else if (set === SETS[0]) rows.push(...billAgreement(sessions));
    if (sessions.length > 0) rows.push(...(await neverMoreExpensive(sessions, set)));
  }
  return rows;
}
