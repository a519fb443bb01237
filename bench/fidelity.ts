import { groupBy } from '../src/content/group-by.ts';
import { fileBytes } from '../src/disk/file-bytes.ts';
import { comparePolicies } from '../src/lab/comparison.ts';
import { NO_PRUNING, type Policy } from '../src/lab/policy.ts';
import type { PolicyOutcome } from '../src/lab/policy-outcome.ts';
import { readSession } from '../src/sessions/read-session.ts';
import { BUILT_IN_PROFILES } from '../src/settings/built-in-profiles.ts';
import { blockCounter } from '../src/tokens/entries/block-counter.ts';
import { type Recording, recordings } from './recordings.ts';
import type { Row } from './row.ts';
import { upperBound } from './upper-bound.ts';

const FOLDS = 5;
const WINDOWS = [0, 1, 2, 3];
/** Budgets of `carriedTokens` that are too small on purpose: at the usual one nothing is regretted, so nothing could be chosen. */
const SMALL_BUDGETS = [40_000, 60_000, 80_000];
const USUAL_BUDGET = 200_000;

const RECOMMENDED = BUILT_IN_PROFILES['recommended']!;
const nameOf = (calls: number, budget: number): string => `working sets ${calls}, carried ${budget}`;
const GRID = WINDOWS.flatMap((calls) =>
  [...SMALL_BUDGETS, USUAL_BUDGET].map(
    (budget): Policy => ({
      name: nameOf(calls, budget),
      settings: {
        ...RECOMMENDED,
        'compression.density.workingSetCalls': calls,
        'compression.density.carriedTokens': budget,
      },
    }),
  ),
);
const POLICIES: readonly Policy[] = [
  NO_PRUNING,
  { name: 'specification', settings: {} },
  { name: 'recommended', settings: RECOMMENDED },
  { name: 'recommended at every call', settings: { ...RECOMMENDED, 'compression.density.timing': 'every-turn' } },
  ...GRID,
];

interface Compared extends Recording {
  readonly format: string;
  readonly outcomes: readonly PolicyOutcome[];
  fold: number;
}

async function compare(recording: Recording): Promise<Compared> {
  const { session, format } = readSession(fileBytes(recording.file));
  const model = session.model ?? 'unknown';
  const options = { vocabulary: format.vocabulary, model, countBlock: blockCounter(model) };
  const outcomes = await comparePolicies({ session, ...options, repository: recording.repository }, POLICIES);
  return { ...recording, format: format.name, outcomes, fold: 0 };
}

/** The sums of some sessions under one policy. */
function sums(sessions: readonly Compared[], policy: string) {
  let [sent, sentBefore, edits, regretted, other] = [0, 0, 0, 0, 0];
  for (const { outcomes } of sessions) {
    const outcome = outcomes.find((one) => one.policy === policy)!;
    sent += outcome.tokensSent;
    sentBefore += outcomes[0]!.tokensSent;
    edits += outcome.evidencedEdits;
    const found = outcome.regrets.filter(({ kind }) => kind === 'edit').length;
    regretted += found;
    other += outcome.regrets.length - found;
  }
  return { sent: sentBefore, saved: sentBefore === 0 ? 0 : 1 - sent / sentBefore, edits, regretted, other };
}

const percent = (ratio: number, digits = 1): string => `${(100 * ratio).toFixed(digits)}%`;

function row(label: string, sessions: readonly Compared[], policy: string): string {
  const { sent, saved, edits, regretted, other } = sums(sessions, policy);
  const regrets =
    edits === 0
      ? '–'
      : `${regretted} = ${percent(regretted / edits, 2)} (< ${percent(upperBound(regretted, edits), 2)})`;
  const cells = [label, sessions.length, `${(sent / 1e6).toFixed(1)}M`, percent(saved), edits, regrets, other];
  return `| ${cells.join(' | ')} |`;
}

function printTable(title: string, rows: readonly string[]): void {
  console.log(
    `\n${title}\n\n| | sessions | tokens sent | saved | edits | regretted (95%) | other regrets |\n|---|---|---|---|---|---|---|`,
  );
  for (const text of rows) console.log(text);
}

/** Deals repositories to folds, those with most edits first, each to the fold with fewest. Looks at no regret. */
function dealFolds(sessions: readonly Compared[], folds: number): void {
  const byRepository = [...groupBy(sessions, ({ repository }) => repository).values()];
  const editsOf = (own: readonly Compared[]): number => sums(own, NO_PRUNING.name).edits;
  const edits = Array.from({ length: folds }, () => 0);
  for (const own of byRepository.sort((one, other) => editsOf(other) - editsOf(one))) {
    const fold = edits.indexOf(Math.min(...edits));
    edits[fold]! += editsOf(own);
    for (const session of own) session.fold = fold;
  }
}

/** The window with the fewest edits regretted at the small budgets; of several, the one that saves most at the usual one. */
function chosenWindow(sessions: readonly Compared[]): number {
  const regretted = (calls: number): number =>
    SMALL_BUDGETS.reduce((sum, budget) => sum + sums(sessions, nameOf(calls, budget)).regretted, 0);
  const saved = (calls: number): number => sums(sessions, nameOf(calls, USUAL_BUDGET)).saved;
  return [...WINDOWS].sort((one, other) => regretted(one) - regretted(other) || saved(other) - saved(one))[0]!;
}

/** Prints what later edits needed of what was removed, over all recordings, in folds by repository; measures no speed. */
export async function run(): Promise<readonly Row[]> {
  const sessions: Compared[] = [];
  for (const recording of recordings()) sessions.push(await compare(recording));
  if (sessions.length === 0) return [];
  printTable(
    'All sessions',
    POLICIES.map(({ name }) => row(name, sessions, name)),
  );
  const formats = [...groupBy(sessions, ({ format }) => format)].sort(([one], [other]) => (one < other ? -1 : 1));
  printTable(
    '`recommended` by agent',
    formats.map(([format, own]) => row(format, own, 'recommended')),
  );
  dealFolds(sessions, FOLDS);
  const folds = Array.from({ length: FOLDS }, (_, fold) => sessions.filter((session) => session.fold === fold));
  for (const policy of ['specification', 'recommended']) {
    printTable(
      `\`${policy}\` by fold, each with whole repositories`,
      folds.map((own, fold) => row(`fold ${fold + 1}`, own, policy)),
    );
  }
  dealFolds(sessions, 2);
  for (const half of [0, 1]) {
    const calls = chosenWindow(sessions.filter(({ fold }) => fold === half));
    const others = sessions.filter(({ fold }) => fold !== half);
    const text = [...SMALL_BUDGETS, USUAL_BUDGET].map((budget) =>
      row(`carried ${budget}`, others, nameOf(calls, budget)),
    );
    printTable(`Chosen on one half of the repositories: working sets ${calls}. On the other half:`, text);
  }
  return [];
}
