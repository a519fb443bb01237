import path from 'node:path';
import { groupBy } from '../src/content/group-by.ts';
import { priceOf } from '../src/economics/prices.ts';
import { compareProfiles } from '../src/lab/comparison.ts';
import { type ComparedProfile, NO_PRUNING } from '../src/lab/policy.ts';
import type { ProfileOutcome } from '../src/lab/policy-outcome.ts';
import { upperBound } from '../src/lab/tune/upper-bound.ts';
import type { ReadSession } from '../src/sessions/read-session.ts';
import { BUILT_IN_PROFILES } from '../src/settings/built-in-profiles.ts';
import { blockCounter } from '../src/tokens/entries/block-counter.ts';
import { type Recording, readSessions, recordings } from './recordings.ts';
import { type Row, rowOf } from './row.ts';

const FOLDS = 5;
const WINDOWS = [0, 1, 2, 3];
/** Budgets of `carriedTokens` that are too small on purpose: at the usual one nothing is regretted, so nothing could be chosen. */
const SMALL_BUDGETS = [40_000, 60_000, 80_000];
const DEFAULT_BUDGET = 200_000;

const RECOMMENDED = BUILT_IN_PROFILES['recommended']!;
const nameOf = (calls: number, budget: number): string => `working sets ${calls}, carried ${budget}`;
const GRID = WINDOWS.flatMap((calls) =>
  [...SMALL_BUDGETS, DEFAULT_BUDGET].map(
    (budget): ComparedProfile => ({
      name: nameOf(calls, budget),
      settings: {
        ...RECOMMENDED,
        'compression.density.workingSetCalls': calls,
        'compression.density.carriedTokens': budget,
      },
    }),
  ),
);
const POLICIES: readonly ComparedProfile[] = [
  NO_PRUNING,
  { name: 'specification', settings: {} },
  { name: 'recommended', settings: RECOMMENDED },
  { name: 'recommended at every call', settings: { ...RECOMMENDED, 'compression.density.timing': 'every-turn' } },
  { name: 'when-it-pays alone', settings: { 'compression.density.timing': 'when-it-pays' } },
  { name: 'quietCalls 1', settings: { 'compression.density.quietCalls': 1 } },
  { name: 'quietCalls 3', settings: { 'compression.density.quietCalls': 3 } },
  { name: 'keep-lines alone', settings: { 'compression.density.partialEdits': 'keep-lines' } },
  { name: 'keep-last alone', settings: { 'compression.density.partialEdits': 'keep-last' } },
  ...GRID,
];

interface Compared extends Recording {
  readonly format: string;
  /** False: its bill would be that of another model. */
  readonly hasPrice: boolean;
  readonly outcomes: readonly ProfileOutcome[];
  fold: number;
}

async function compare(recording: Recording, { session, format }: ReadSession): Promise<Compared> {
  const model = session.model ?? 'unknown';
  const options = { vocabulary: format.vocabulary, model, countBlock: blockCounter(model) };
  const outcomes = await compareProfiles({ session, ...options, repository: recording.repository }, POLICIES);
  const hasPrice = priceOf(model).match !== 'unknown';
  return { ...recording, format: format.name, hasPrice, outcomes, fold: 0 };
}

/** The sums of some sessions under one policy. */
function sums(sessions: readonly Compared[], policy: string) {
  let sent = 0;
  let sentBefore = 0;
  let edits = 0;
  let regretted = 0;
  let other = 0;
  for (const { outcomes } of sessions) {
    const outcome = outcomes.find((one) => one.policy === policy)!;
    sent += outcome.tokensSent;
    sentBefore += outcomes[0]!.tokensSent;
    edits += outcome.evidencedEdits;
    const found = outcome.regrets.filter(({ kind }) => kind === 'edit').length;
    regretted += found;
    other += outcome.regrets.length - found;
  }
  const billed = sessions.filter(({ hasPrice }) => hasPrice);
  const changeOf = (dollarsOf: (outcome: ProfileOutcome) => number): number => {
    const under = (name: string): number =>
      billed.reduce((sum, { outcomes }) => sum + dollarsOf(outcomes.find((one) => one.policy === name)!), 0);
    return under(policy) / under(NO_PRUNING.name) - 1;
  };
  const cost = { own: changeOf(({ bill }) => bill.dollars), hour: changeOf(({ billHour }) => billHour.dollars) };
  return { cost, sent: sentBefore, saved: sentBefore === 0 ? 0 : 1 - sent / sentBefore, edits, regretted, other };
}

const percent = (ratio: number, digits = 1): string => `${(100 * ratio).toFixed(digits)}%`;

function row(label: string, sessions: readonly Compared[], policy: string): string {
  const { cost, sent, saved, edits, regretted, other } = sums(sessions, policy);
  const regrets =
    edits === 0
      ? '–'
      : `${regretted} = ${percent(regretted / edits, 2)} (< ${percent(upperBound(regretted, edits), 2)})`;
  const costs = [cost.own, cost.hour].map((ratio) => (Number.isNaN(ratio) ? '–' : percent(ratio)));
  const cells = [
    label,
    sessions.length,
    `${(sent / 1e6).toFixed(1)}M`,
    percent(saved),
    edits,
    regrets,
    other,
    ...costs,
  ];
  return `| ${cells.join(' | ')} |`;
}

function printTable(title: string, rows: readonly string[]): void {
  console.log(
    `\n${title}\n\n| | sessions | tokens sent | saved | edits | regretted (95%) | other regrets | cost, recorded cache | cost, 1 h |\n|---|---|---|---|---|---|---|---|---|`,
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
  const saved = (calls: number): number => sums(sessions, nameOf(calls, DEFAULT_BUDGET)).saved;
  return [...WINDOWS].sort((one, other) => regretted(one) - regretted(other) || saved(other) - saved(one))[0]!;
}

/** Prints what later edits needed of what was removed, over all recordings, in folds by repository; measures no speed. */
export async function run(): Promise<readonly Row[]> {
  const sessions: Compared[] = [];
  const known = new Map(recordings().map((recording) => [recording.file, recording]));
  for (const read of readSessions([...known.keys()])) sessions.push(await compare(known.get(read.file)!, read));
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
    const text = [...SMALL_BUDGETS, DEFAULT_BUDGET].map((budget) =>
      row(`carried ${budget}`, others, nameOf(calls, budget)),
    );
    printTable(`Chosen on one half of the repositories: working sets ${calls}. On the other half:`, text);
  }
  printLeftOut('agent', sessions, ({ format }) => format);
  printLeftOut('set', sessions, ({ file }) => path.dirname(file).split(path.sep).slice(-2).join('/'));
  const odd = sessions.filter(({ file }) => hashOf(path.basename(file)) % 2 === 1);
  const first = odd.filter(({ file }) => file.includes(`${path.sep}data${path.sep}`));
  for (const [label, own] of [
    ['The odd half of the first 88 sessions, by the hash of their names', first],
    ['The odd half of all sessions', odd],
  ] as const) {
    printTable(
      label,
      ['specification', 'when-it-pays alone', 'recommended'].map((policy) => row(policy, own, policy)),
    );
  }
  return figureRows(sessions, { first, odd });
}

/** For each group, the window that is chosen on all other groups, and what it does on this one. */
function printLeftOut(what: string, sessions: readonly Compared[], groupOf: (session: Compared) => string): void {
  const groups = [...groupBy(sessions, groupOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = groups.map(([group, own]) => {
    const calls = chosenWindow(sessions.filter((session) => groupOf(session) !== group));
    return row(`${group}: working sets ${calls}`, own, nameOf(calls, DEFAULT_BUDGET));
  });
  printTable(`Chosen on all but one ${what}, reported on that one`, rows);
}

/** FNV-1a of 32 bits, by which the halves were divided before any regret was looked at. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

function figureRows(
  sessions: readonly Compared[],
  { first, odd }: { readonly first: readonly Compared[]; readonly odd: readonly Compared[] },
): readonly Row[] {
  const rows = ['specification', 'recommended'].flatMap((policy) => {
    const { saved, edits, regretted, cost } = sums(sessions, policy);
    const compressions = sessions.map(({ outcomes }) => outcomes.find((one) => one.policy === policy)!.compressions);
    return [
      rowOf(`fidelity.${policy}.saved`, 'percent', [100 * saved]),
      rowOf(`fidelity.${policy}.regretted`, 'count', [regretted]),
      rowOf(`fidelity.${policy}.regretted-at-most`, 'percent', [100 * upperBound(regretted, edits)]),
      rowOf(`fidelity.${policy}.cost`, 'percent', [100 * cost.own]),
      rowOf(`fidelity.${policy}.compressions`, 'count', [compressions.reduce((sum, count) => sum + count, 0)]),
      rowOf(`fidelity.${policy}.odd-half-saved`, 'percent', [100 * sums(first, policy).saved]),
      rowOf(`fidelity.${policy}.all-odd-saved`, 'percent', [100 * sums(odd, policy).saved]),
    ];
  });
  const without = sessions.reduce((sum, { outcomes }) => sum + outcomes[0]!.compressions, 0);
  return [...rows, rowOf('fidelity.no-pruning.compressions', 'count', [without])];
}
