import { isRecord } from '../content/foreign-value.ts';
import type { ProjectionKind } from './contract.ts';

/** A result that is sent in another form, and stays so in all later requests. */
export interface FrozenResult {
  readonly id: string;
  readonly kind: ProjectionKind;
  /** The text that is sent. */
  readonly text: string;
  readonly reason: string;
  /** For a repeat, the result that it refers to. */
  readonly target?: string;
  /** The files that the removed text showed. */
  readonly files: readonly string[];
}

/** The decisions of a conversation, and the lines that keep them. */
export class FrozenDecisions {
  readonly results: Map<string, FrozenResult>;
  /** Files whose text was needed again. */
  readonly pins: Set<string>;
  /** Models whose provider said that it binds thinking. */
  readonly boundModels: Set<string>;
  isHandsOff = false;
  #unsaved: string[] = [];

  /** A copy of the decisions of the conversation that this one left. */
  constructor(inherited?: FrozenDecisions) {
    this.results = new Map(inherited?.results);
    this.pins = new Set(inherited?.pins);
    this.boundModels = new Set(inherited?.boundModels);
    this.isHandsOff = inherited?.isHandsOff ?? false;
  }

  /** The decisions in these lines; what is no decision is ignored. */
  static of(lines: readonly string[]): FrozenDecisions {
    const decisions = new FrozenDecisions();
    for (const line of lines) {
      const value = parsed(line);
      if (isFrozen(value['freeze'])) decisions.results.set(value['freeze'].id, value['freeze']);
      if (typeof value['thaw'] === 'string') decisions.results.delete(value['thaw']);
      if (typeof value['pin'] === 'string') decisions.pins.add(value['pin']);
      if (typeof value['bound'] === 'string') decisions.boundModels.add(value['bound']);
      if (value['handsOff'] === true) decisions.isHandsOff = true;
    }
    return decisions;
  }

  freeze(result: FrozenResult): void {
    this.results.set(result.id, result);
    this.#note({ freeze: result });
  }

  thaw(id: string): void {
    this.results.delete(id);
    this.#note({ thaw: id });
  }

  pin(file: string): void {
    this.pins.add(file);
    this.#note({ pin: file });
  }

  bind(model: string): void {
    this.boundModels.add(model);
    this.#note({ bound: model });
  }

  handOff(): void {
    this.isHandsOff = true;
    this.#note({ handsOff: true });
  }

  /** The lines since the last call. */
  takeUnsaved(): readonly string[] {
    const lines = this.#unsaved;
    this.#unsaved = [];
    return lines;
  }

  #note(line: object): void {
    this.#unsaved.push(JSON.stringify(line));
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    // The last line of a process that was killed.
    return {};
  }
}

const isFrozen = (value: unknown): value is FrozenResult =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  typeof value['text'] === 'string' &&
  Array.isArray(value['files']);
