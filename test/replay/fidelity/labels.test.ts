import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compareFile } from '../../../src/replay/fidelity/compared-file.ts';
import { haveRealSessions, realSessions } from '../../real-sessions.ts';

const LABELS = path.resolve(import.meta.dirname, '../../../bench/fidelity/labels.tsv');
const [, ...ROWS] = readFileSync(LABELS, 'utf8').trim().split('\n');

interface Label {
  readonly file: string;
  readonly event: number;
  readonly block: number;
  readonly kind: string;
  readonly isNeeded: boolean;
}

const labels = ROWS.map((row): Label => {
  const [file = '', , event, block, kind = '', needed] = row.split('\t');
  return { file, event: Number(event), block: Number(block), kind, isNeeded: needed === 'yes' };
});

test('the labelled sample is as large as it must be, and labels no event twice', () => {
  expect(labels.length).toBeGreaterThanOrEqual(150);
  expect(new Set(labels.map(({ file }) => file)).size).toBeGreaterThanOrEqual(15);
  expect(new Set(labels.map(({ file, event, block, kind }) => [file, event, block, kind].join())).size).toBe(
    labels.length,
  );
});

test.runIf(haveRealSessions)('regrets are found as they are labelled: precision and recall', async () => {
  const folders = [...new Set(labels.map(({ file }) => path.dirname(file)))];
  const files = new Map(realSessions(...folders).map((file) => [file.split(path.sep).slice(-2).join('/'), file]));
  const found = new Set<string>();
  for (const file of new Set(labels.map((label) => label.file))) {
    const place = files.get(file);
    expect(place !== undefined && existsSync(place)).toBe(true);
    const { outcomes } = await compareFile(place!, [{ name: 'specification', settings: {} }]);
    for (const { event, block, kind } of outcomes[0]!.regrets) found.add([file, event, block, kind].join());
  }
  const isFound = ({ file, event, block, kind }: Label): boolean => found.has([file, event, block, kind].join());
  const share = (of: readonly Label[], isHit: (label: Label) => boolean): number => of.filter(isHit).length / of.length;
  expect(share(labels.filter(isFound), ({ isNeeded }) => isNeeded)).toBeGreaterThanOrEqual(0.9);
  expect(
    share(
      labels.filter(({ isNeeded }) => isNeeded),
      isFound,
    ),
  ).toBeGreaterThanOrEqual(0.95);
  const edits = labels.filter(({ kind }) => kind === 'edit');
  expect(edits.every((label) => label.isNeeded === isFound(label))).toBe(true);
});
