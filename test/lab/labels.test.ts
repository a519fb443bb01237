import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileBytes } from '../../src/disk/file-bytes.ts';
import { type ComparedSession, compareProfiles } from '../../src/lab/comparison.ts';
import type { ComparedProfile } from '../../src/lab/policy.ts';
import { readSession } from '../../src/sessions/read-session.ts';
import { BUILT_IN_PROFILES } from '../../src/settings/built-in-profiles.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { haveRealSessions, realSession } from '../real-sessions.ts';

const LABELS = path.resolve(import.meta.dirname, '../../bench/fidelity/labels.tsv');
const [, ...ROWS] = readFileSync(LABELS, 'utf8').trim().split('\n');

interface Label {
  readonly file: string;
  readonly event: number;
  readonly block: number;
  readonly kind: string;
  readonly isNeeded: boolean;
  readonly policy: string;
}

const labels = ROWS.map((row): Label => {
  const [file = '', , event, block, kind = '', needed, policy = ''] = row.split('\t');
  return { file, event: Number(event), block: Number(block), kind, isNeeded: needed === 'yes', policy };
});
const keyOf = ({ file, event, block, kind }: Omit<Label, 'isNeeded' | 'policy'>): string =>
  [file, event, block, kind].join();

/** The text of this edit was removed when the sample was drawn; since runs of lines are kept as long as reads, it is there. */
const KEPT_SINCE = 'pi/pi-mono__large-session.jsonl,501,1,edit';

/** Also the part that a fork inherited: events of it are labelled. */
function playedWhole(file: string): ComparedSession {
  const { session, format } = readSession(fileBytes(file));
  const { copied: _, ...whole } = session;
  const model = session.model ?? 'unknown';
  return { session: whole, vocabulary: format.vocabulary, model, countBlock: blockCounter(model) };
}

const AT_EVERY_CALL = { ...BUILT_IN_PROFILES['recommended']!, 'compression.density.timing': 'every-turn' } as const;
const POLICIES: readonly {
  policy: ComparedProfile;
  leastPrecision: number;
  leastRecall: number;
  leastEditPrecision: number;
}[] = [
  { policy: { name: 'specification', settings: {} }, leastPrecision: 0.9, leastRecall: 0.95, leastEditPrecision: 1 },
  // None of its regrets is an edit: only names and quotations may also have another source.
  // Drawn before there were working sets and before edits waited until they pay: each edit applies at once here too, so that
  // what is judged is how regrets are found, and not when text is removed.
  {
    policy: { name: 'recommended', settings: AT_EVERY_CALL },
    leastPrecision: 0.5,
    leastRecall: 0.95,
    // None of its edits was needed.
    leastEditPrecision: 0,
  },
  // Events that use lines or names which `repeatedLines` left out: the one edit and all quotations that were reported, and some names.
  {
    policy: { name: 'new results', settings: AT_EVERY_CALL },
    leastPrecision: 0.55,
    leastRecall: 0.95,
    leastEditPrecision: 1,
  },
];

test('the labelled sample is as large as it must be, and labels no event twice under one policy', () => {
  expect(labels.length).toBeGreaterThanOrEqual(150);
  expect(new Set(labels.map(({ file }) => file)).size).toBeGreaterThanOrEqual(15);
  const ofNewResults = labels.filter(({ policy }) => policy === 'new results');
  expect(ofNewResults.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ofNewResults.map(({ file }) => file)).size).toBeGreaterThanOrEqual(12);
  expect(new Set(labels.map((label) => `${label.policy} ${keyOf(label)}`)).size).toBe(labels.length);
  expect([...new Set(labels.map(({ policy }) => policy))]).toEqual(POLICIES.map(({ policy }) => policy.name));
});

test('two readers agree on what new results leave out', () => {
  const both = ROWS.map((row) => row.split('\t')).filter((cells) => cells[7] !== undefined);
  expect(both.length).toBeGreaterThanOrEqual(30);
  expect(both.filter((cells) => cells[5] === cells[7]).length / both.length).toBeGreaterThan(0.9);
});

test.runIf(haveRealSessions).each(POLICIES)(
  'regrets under $policy.name are found as they are labelled: precision and recall',
  async ({ policy, leastPrecision, leastRecall, leastEditPrecision }) => {
    const drawn = labels.filter((label) => label.policy === policy.name);
    const isKept = (label: Label): boolean => policy.name === 'new results' && keyOf(label) === KEPT_SINCE;
    const own = drawn.filter((label) => !isKept(label));
    const found = new Set<string>();
    for (const file of new Set(drawn.map((label) => label.file))) {
      const place = realSession(file);
      expect(place).toBeDefined();
      const [outcome] = await compareProfiles(playedWhole(place!), [policy]);
      for (const regret of outcome!.regrets) found.add(keyOf({ ...regret, file }));
    }
    const isFound = (label: Label): boolean => found.has(keyOf(label));
    const share = (of: readonly Label[], isHit: (label: Label) => boolean): number =>
      of.filter(isHit).length / of.length;
    const isNeeded = (label: Label): boolean => label.isNeeded;
    expect(share(own.filter(isFound), isNeeded)).toBeGreaterThanOrEqual(leastPrecision);
    expect(share(own.filter(isNeeded), isFound)).toBeGreaterThanOrEqual(leastRecall);
    const edits = own.filter(({ kind }) => kind === 'edit');
    expect(edits.length).toBeGreaterThan(0);
    expect(edits.filter(isNeeded).every(isFound)).toBe(true);
    const foundEdits = edits.filter(isFound);
    expect(foundEdits.filter(isNeeded).length).toBeGreaterThanOrEqual(leastEditPrecision * foundEdits.length);
    expect(drawn.filter(isKept).some(isFound)).toBe(false);
  },
);
