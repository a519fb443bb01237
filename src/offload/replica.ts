import type { IContent } from '../content/content.ts';
import { applyEdits } from '../history/apply.ts';
import { curate } from '../history/curate.ts';
import type { CompressionStrategy, DensityResult } from '../strategies/contract.ts';
import type { FamilyName } from '../tokens/index.ts';
import { blockEdits } from './block-edits.ts';
import { toErrorData } from './error-data.ts';
import type {
  Change,
  CompressTask,
  CountTask,
  HistoryPart,
  OptimizeTask,
  Outcome,
  Request,
  Revised,
  Splice,
} from './protocol.ts';
import { textUnits } from './snapshot.ts';
import { threadContext } from './thread-context.ts';

/** What a replica works with; the thread hands it in. */
export interface ReplicaServices {
  strategy(name: string, vocabulary: string): CompressionStrategy;
  countEntry(entry: IContent, family: FamilyName): number;
  countText(text: string, family: FamilyName): number;
}

interface Kept {
  readonly family: FamilyName;
  readonly tokens: number;
}

/**
 * A thread's copy of one history, with the count of each entry. It takes requests in sequence only and answers
 * anything else with `need-snapshot`, so that any thread can take over. Source: DESIGN 3.1.
 */
export class Replica {
  readonly #services: ReplicaServices;
  readonly #kept = new WeakMap<IContent, Kept>();
  readonly #texts = new Map<number, string[]>();
  #entries: IContent[] = [];
  #revision = 0;
  #sequence = 0;
  #epoch = -1;
  #own: { readonly sequence: number; readonly result: DensityResult } | undefined;
  #textUnits = 0;
  #countedUnits = 0;

  constructor(services: ReplicaServices) {
    this.#services = services;
  }

  get entries(): readonly IContent[] {
    return this.#entries;
  }

  /** Text held, in UTF-16 units; near enough to bytes for Latin text. */
  get sizeUnits(): number {
    return this.#textUnits;
  }

  /** Text counted so far, in UTF-16 units. */
  get countedUnits(): number {
    return this.#countedUnits;
  }

  async receive(request: Request): Promise<Outcome> {
    const starts = request.baseRevision === 0 && request.epoch > this.#epoch;
    const follows =
      request.epoch === this.#epoch &&
      request.baseRevision === this.#revision &&
      request.sequence === this.#sequence + 1;
    if (!starts && !follows) return { kind: 'need-snapshot' };
    if (starts) this.#startAnew();
    for (const change of request.changes) this.#apply(change);
    this.#epoch = request.epoch;
    this.#revision = request.revision;
    this.#sequence = request.sequence;
    try {
      return await this.#perform(request);
    } catch (error) {
      return { kind: 'failed', error: toErrorData(error) };
    }
  }

  #startAnew(): void {
    this.#entries = [];
    this.#texts.clear();
    this.#textUnits = 0;
    this.#own = undefined;
  }

  #apply(change: Change): void {
    switch (change.kind) {
      case 'text-part': {
        const parts = this.#texts.get(change.textId);
        if (parts) parts.push(change.text);
        else this.#texts.set(change.textId, [change.text]);
        return;
      }
      case 'splice':
        this.#splice(change);
        return;
      case 'patch':
        this.#edit({ ...change, replacements: new Map(change.replacements) });
        return;
      case 'accept':
        if (this.#own?.sequence !== change.sequence)
          throw new Error(`Expected a result of request ${change.sequence}.`);
        this.#edit(this.#own.result);
        this.#own = undefined;
    }
  }

  #splice({ start, deleteCount, entries, texts }: Splice): void {
    for (const { textId, entry, keys } of texts ?? []) {
      setText(entries[entry], keys, (this.#texts.get(textId) ?? []).join(''));
      this.#texts.delete(textId);
    }
    for (const entry of entries) this.#textUnits += textUnits(entry);
    const isAppend = start === this.#entries.length && deleteCount === 0;
    if (isAppend) {
      for (const entry of entries) this.#entries.push(entry);
      return;
    }
    for (const gone of this.#entries.slice(start, start + deleteCount)) this.#textUnits -= textUnits(gone);
    this.#entries = [...this.#entries.slice(0, start), ...entries, ...this.#entries.slice(start + deleteCount)];
  }

  #edit(result: Pick<DensityResult, 'removals' | 'replacements'>): void {
    for (const index of result.removals) this.#textUnits -= textUnits(this.#entries[index]);
    for (const [index, entry] of result.replacements) {
      this.#textUnits += textUnits(entry) - textUnits(this.#entries[index]);
    }
    this.#entries = applyEdits<IContent>(this.#entries, result, (index) => result.replacements.get(index));
  }

  #perform({ task, cancelFlag, sequence }: Request): Promise<Outcome> | Outcome {
    switch (task.kind) {
      case 'count':
        return this.#count(task, cancelFlag);
      case 'count-text':
        this.#countedUnits += task.text.length;
        return { kind: 'counts', counts: [this.#services.countText(task.text, task.family)] };
      case 'optimize':
        return this.#optimize(task, sequence);
      case 'compress':
        return this.#compress(task);
      case 'synchronise':
      case 'release':
        return { kind: 'done' };
    }
  }

  #count({ family, range, fresh, budgetUnits }: CountTask, cancelFlag: Int32Array): Outcome {
    const entries = 'entries' in range ? range.entries : this.#entries;
    const [from, to] = 'entries' in range ? [0, entries.length] : [range.from, Math.min(range.to, entries.length)];
    const counts: Extract<Outcome, { kind: 'counts' }>['counts'][number][] = [];
    const limit = this.#countedUnits + budgetUnits;
    for (let index = from; index < to; index++) {
      if (Atomics.load(cancelFlag, 0) !== 0) return { kind: 'cancelled' };
      if (counts.length > 0 && this.#countedUnits >= limit) break;
      try {
        counts.push(this.#tokens(entries[index]!, family, fresh));
      } catch (error) {
        counts.push({ error: toErrorData(error) });
      }
    }
    return { kind: 'counts', counts };
  }

  #optimize({ strategy: name, vocabulary, family, config }: OptimizeTask, sequence: number): Outcome {
    const strategy = this.#services.strategy(name, vocabulary);
    if (strategy.optimize === undefined) throw new TypeError(`The strategy "${name}" has no \`optimize\`.`);
    const result = strategy.optimize(this.#entries, config);
    this.#own = { sequence, result };
    const replacements = [...result.replacements].map(([index, entry]) => this.#revised(index, entry, family));
    return { kind: 'optimized', removals: result.removals, replacements, metadata: result.metadata };
  }

  async #compress(task: CompressTask): Promise<Outcome> {
    const history = curate(this.#entries);
    const { newHistory, metadata } = await this.#services
      .strategy(task.strategy, task.vocabulary)
      .compress(threadContext(task, history, (entry) => this.#tokens(entry, task.family, false)));
    return { kind: 'compressed', parts: this.#parts(newHistory, task.family), metadata };
  }

  /** `rebuilt` in terms of the entries it was made of: kept ones by identity, changed ones by the first that fits between. */
  #parts(rebuilt: readonly IContent[], family: FamilyName): HistoryPart[] {
    const places = new Map(this.#entries.map((entry, index) => [entry, index]));
    const parts: HistoryPart[] = [];
    let cursor = 0;
    for (const entry of rebuilt) {
      const place = places.get(entry);
      if (place === undefined) {
        const from = this.#entries.findIndex((own, index) => index >= cursor && blockEdits(own, entry) !== undefined);
        parts.push(this.#revised(from, entry, family));
        if (from !== -1) cursor = from + 1;
        continue;
      }
      const last = parts.at(-1);
      if (last && 'keepTo' in last && last.keepTo === place) parts[parts.length - 1] = { ...last, keepTo: place + 1 };
      else parts.push({ keepFrom: place, keepTo: place + 1 });
      cursor = place + 1;
    }
    return parts;
  }

  #revised(from: number, entry: IContent, family: FamilyName): Revised {
    const own = this.#entries[from];
    const blocks = own && blockEdits(own, entry);
    const tokens = this.#tokens(entry, family, false);
    return blocks === undefined ? { from, tokens, content: entry } : { from, tokens, blocks };
  }

  #tokens(entry: IContent, family: FamilyName, fresh: boolean): number {
    const kept = fresh ? undefined : this.#kept.get(entry);
    if (kept?.family === family) return kept.tokens;
    this.#countedUnits += textUnits(entry);
    const tokens = this.#services.countEntry(entry, family);
    this.#kept.set(entry, { family, tokens });
    return tokens;
  }
}

/** Puts back a string that came in parts; the entry is this thread's own copy. */
function setText(entry: IContent | undefined, keys: readonly (string | number)[], text: string): void {
  let holder = entry as unknown;
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key];
  const last = keys.at(-1);
  if (last !== undefined) (holder as Record<string | number, unknown>)[last] = text;
}
