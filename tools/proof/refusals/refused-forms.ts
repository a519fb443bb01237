import { formsIn, isSame, type SentList } from '../live/sent-list.ts';

interface RefusedForm {
  readonly text: string;
  /** As the agent wrote it. */
  readonly element: unknown;
}

/** Forms of results that a provider refuses wherever it gets them: by their places and texts. */
export class RefusedForms {
  readonly #forms = new Map<string, RefusedForm>();

  /** Refuses the form at this place from now on. */
  add(place: string, text: string, { list }: SentList): void {
    this.#forms.set(place, { text, element: list[indexOf(place)] });
  }

  /** True for a request with such a form. After a rewind or a compaction another result may be at the place. */
  areIn(request: SentList): boolean {
    const forms = this.#forms.size === 0 ? undefined : formsIn(request);
    return [...this.#forms].some(
      ([place, { text, element }]) => forms?.get(place) === text && isSame(request.list[indexOf(place)], element),
    );
  }
}

const indexOf = (place: string): number => Number.parseInt(place, 10);
