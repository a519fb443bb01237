import { valueAt } from '../../formats/json/json-splice.ts';
import type { RequestList } from '../request/request-list.ts';
import type { LiveResult } from './element.ts';

/** A result of the element at this index of the list. */
interface PlacedResult {
  readonly result: LiveResult;
  readonly element: number;
}

/** The results of a history, and the last request that has them all. */
interface Results {
  readonly results: readonly PlacedResult[];
  readonly list: RequestList | undefined;
}

/**
 * The texts of the results of one history. A conversation that is idle releases them, because the bytes of its last request contain
 * them too. The few texts that its next request needs are read from there again, so that the rules see no difference.
 */
export class ReleasedTexts {
  readonly #of: Results;
  /** The results before this place were released. */
  #count = 0;
  /** The released texts that were needed again. */
  readonly #readAgain: PlacedResult[] = [];

  constructor(of: Results) {
    this.#of = of;
  }

  /** Linear in the results that are new, or were needed again, since the last time. */
  release(): void {
    const { list, results } = this.#of;
    if (list?.isBytes !== true) return;
    for (const listed of this.#readAgain.splice(0)) this.#release(listed);
    for (; this.#count < results.length; this.#count++) this.#release(results[this.#count]!);
  }

  #release(listed: PlacedResult): void {
    const { result } = listed;
    const { block } = result;
    // Texts in user turns are few, and their messages are kept, as the thinking of answers is.
    if (block.type !== 'tool_response') return;
    // What is read otherwise than as this text cannot be read again.
    if (!isReleased(result) && block.result !== result.text) return;
    let known: string | undefined;
    const read = (): string => {
      if (known === undefined) {
        known = this.#textOf(listed);
        this.#readAgain.push(listed);
        keep(result, 'text', known);
        keep(block, 'result', known);
      }
      return known;
    };
    readLater(result, 'text', read);
    readLater(block, 'result', read);
  }

  #textOf({ element, result: { path } }: PlacedResult): string {
    return String(valueAt(this.#of.list!.element(element), path));
  }
}

/** Own properties in their old place, so that copies and JSON of an object have them. */
function readLater<Owner extends object>(owner: Owner, name: keyof Owner, get: () => string): void {
  Object.defineProperty(owner, name, { get, enumerable: true, configurable: true });
}

function keep<Owner extends object>(owner: Owner, name: keyof Owner, value: string): void {
  Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
}

const isReleased = (result: LiveResult): boolean => Object.getOwnPropertyDescriptor(result, 'text')?.get !== undefined;
