import { isRecord, jsonFields } from '../../content/foreign-value.ts';

/** The characters of an element's hash that are kept. They are enough within one conversation. */
const HASH_CHARACTERS = 12;

/** The start of an element's hash, as it is written down. */
export const shortHash = (hash: string): string => hash.slice(0, HASH_CHARACTERS);

/** A request of a conversation that several pruners see: what those that did not see it must know of it. */
export interface TurnNote {
  /** The number of its branch. */
  readonly branch: number;
  /** The branch that this one left with this request, if it left one. */
  readonly left?: number;
  /** Elements that the branch, or the one that it left, had before. */
  readonly shared: number;
  /** The hashes of the elements after them. */
  readonly hashes: readonly string[];
  readonly model: string;
  readonly lifetimeMs?: number | undefined;
  readonly constantTokens?: number | undefined;
  /** By the clock of the store. */
  readonly atMs: number;
}

/** What a store that is shared has of a branch; its conversation writes it. */
export interface WrittenBranch {
  number: number | undefined;
  /** The branch that it left. */
  left: number | undefined;
  /** How many elements are written down. */
  elements: number;
  /** Its decisions. */
  lines: string[];
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

const isTurn = (value: unknown): value is TurnNote =>
  isRecord(value) &&
  [value['branch'], value['shared'], value['atMs']].every(isNumber) &&
  isText(value['model']) &&
  Array.isArray(value['hashes']) &&
  value['hashes'].every(isText);

/** The request that a line tells of; undefined for other lines. */
export function turnOf(line: string): TurnNote | undefined {
  if (!line.startsWith('{"turn":')) return undefined;
  const turn = jsonFields(line)?.['turn'];
  return isTurn(turn) ? turn : undefined;
}

export const turnLine = (turn: TurnNote): string => JSON.stringify({ turn });

/** True for what the provider's answers say, which holds for every branch of a conversation. */
export const holdsForAllBranches = (line: string): boolean =>
  /^\{"(?:bound|handsOff|keptWarm|pause|refused)":/.test(line);
