import path from 'node:path';
import { groupBy } from '../../content/group-by.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { databaseAt } from '../../disk/opencode-database/database-session.ts';
import type { FoundSession } from '../places/session-places.ts';
import { familyOf, headOf, transcriptOf } from './family.ts';
import { writtenCopy } from './written-copy.ts';

const FORKED = /"forked_from_id":\s*"([^"]+)"/;

/** Which sessions are copies of which others, by the starts of files. Each file is read at most once. */
export class Origins {
  readonly #found: readonly FoundSession[];
  readonly #byFolder: ReadonlyMap<string, readonly FoundSession[]>;
  readonly #families = new Map<string, string | undefined>();
  readonly #origins = new Map<string, string | undefined>();

  constructor(found: readonly FoundSession[]) {
    this.#found = found;
    this.#byFolder = groupBy(found, ({ path: file }) => path.dirname(file));
  }

  /** The path of the session that this one is a copy of, as a whole or at its start; undefined if it is not a copy. */
  of({ path: file }: FoundSession): string | undefined {
    if (!this.#origins.has(file)) this.#origins.set(file, this.#originOf(file));
    return this.#origins.get(file);
  }

  #originOf(file: string): string | undefined {
    const source = writtenCopy(file)?.source;
    if (source !== undefined) return source;
    if (databaseAt(file) !== undefined) return undefined;
    const forked = FORKED.exec(headOf(file) ?? '')?.[1];
    if (forked !== undefined) return this.#found.find(({ path: other }) => path.basename(other).includes(forked))?.path;
    const family = this.#familyOf(file);
    if (family === undefined) return undefined;
    const beside = this.#byFolder.get(path.dirname(file)) ?? [];
    const relatives = beside.filter(({ path: other }) => this.#familyOf(other) === family);
    const ranked = relatives.map(({ path: place }) => {
      const isOurs = Number(transcriptOf(place) !== undefined);
      return { place, isOurs, madeAt: fileStatus(place)?.birthtimeMs ?? 0 };
    });
    ranked.sort((a, b) => a.isOurs - b.isOurs || a.madeAt - b.madeAt || (a.place < b.place ? -1 : 1));
    return ranked[0]?.place === file ? undefined : ranked[0]?.place;
  }

  #familyOf(file: string): string | undefined {
    if (!this.#families.has(file)) this.#families.set(file, familyOf(file));
    return this.#families.get(file);
  }
}
