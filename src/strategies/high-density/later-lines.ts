import type { WrittenLines } from './shown-lines.ts';

/** The lines of a file by their marks, as the calls that were noted leave them. */
interface SeenLines {
  readonly shown: ReadonlySet<number>;
  readonly gone: ReadonlySet<number>;
  /** What the reads among them asked for. */
  readonly requests: ReadonlySet<string>;
}

interface ReadLines {
  readonly marks: readonly number[];
  readonly request: string;
}

/**
 * What later calls show of a file, noted from the latest call on. A call is looked at when the lines are asked for: most
 * files never are.
 */
export class LaterLines {
  readonly #shown = new Set<number>();
  readonly #gone = new Set<number>();
  readonly #requests = new Set<string>();
  readonly #unseen: (() => void)[] = [];

  noteRead(look: () => ReadLines): void {
    this.#unseen.push(() => {
      const { marks, request } = look();
      for (const mark of marks) this.#shown.add(mark);
      if (marks.length > 0) this.#requests.add(request);
    });
  }

  noteWrite({ gone, shown }: WrittenLines): void {
    this.#unseen.push(() => {
      for (const mark of gone) if (!this.#shown.has(mark)) this.#gone.add(mark);
      for (const mark of shown) if (!this.#gone.has(mark)) this.#shown.add(mark);
    });
  }

  seen(): SeenLines {
    for (const look of this.#unseen.splice(0)) look();
    return { shown: this.#shown, gone: this.#gone, requests: this.#requests };
  }
}
