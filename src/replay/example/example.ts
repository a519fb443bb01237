import type { IContent } from '../../content/content.ts';
import type { Session } from '../../formats/contract.ts';
import { Desk } from './desk.ts';
import { addField, boundLimit } from './feature-tasks.ts';
import { ENTITIES, type Entity, NEW_FIELDS } from './harbour.ts';
import { chaseFlake, explain, logRemoval, writeArrivals } from './office-tasks.ts';
import { seededRandom } from './random.ts';
import { mendOverlap, mendSearch, renameDescribe } from './repair-tasks.ts';
import { sharedFiles } from './shared-files.ts';
import { entityFiles } from './source-files.ts';
import { Workspace } from './workspace.ts';

const ROOT = '/home/robin/harbour-office';
const STARTED_AT = Date.UTC(2026, 5, 16, 7, 41);

/** The seed of the example that comes with the command. */
const EXAMPLE_SEED = 1;

/**
 * An invented day of work on an invented project, about 130 model calls: reads, partial reads, edits, edits that fail,
 * searches, test runs, attached files. Equal seeds give equal entries. The tools have the names of REQ-HD-005.2 and 005.3.
 */
function exampleEntries(seed: number = EXAMPLE_SEED): IContent[] {
  const random = seededRandom(seed);
  const desk = new Desk(new Workspace(ROOT, new Map([...sharedFiles(), ...entityFiles()])), random, STARTED_AT);
  const order = random.shuffle(ENTITIES);
  const fields = random.shuffle(NEW_FIELDS);
  const nth = (index: number): Entity => order[index % order.length] as Entity;
  const field = (index: number) => fields[index % fields.length] as (typeof fields)[number];
  addField(desk, nth(0), field(0));
  mendSearch(desk, nth(1));
  explain(desk, nth(2));
  logRemoval(desk, nth(2));
  mendOverlap(desk);
  boundLimit(desk, nth(3));
  addField(desk, nth(4), field(1));
  renameDescribe(desk, nth(0));
  writeArrivals(desk);
  addField(desk, nth(1), field(2));
  chaseFlake(desk, nth(5));
  boundLimit(desk, nth(0));
  mendSearch(desk, nth(4));
  explain(desk, nth(5));
  logRemoval(desk, nth(5));
  addField(desk, nth(2), field(3));
  renameDescribe(desk, nth(3));
  return desk.entries;
}

/** The example as a session that could have been read from a file. */
export function exampleSession(seed: number = EXAMPLE_SEED): Session {
  return {
    format: 'high-density',
    id: 'example',
    model: 'claude-sonnet-4-5',
    workspaceRoot: ROOT,
    events: exampleEntries(seed).map((content) => ({ kind: 'add', content })),
    skipped: [],
  };
}
