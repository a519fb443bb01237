import { createHash } from 'node:crypto';
import { addTo } from '../../content/group-by.ts';
import { jsonText } from '../json/json-text.ts';

const ID_CHARACTERS = 12;

interface OpenCall {
  readonly id: string;
  isAnswered: boolean;
}

/** Calls in order. The answered ones at its start leave a list when it is asked, so that this is linear. */
function firstOpen(calls: OpenCall[] | undefined): OpenCall | undefined {
  while (calls?.[0]?.isAnswered) calls.shift();
  return calls?.[0];
}

/**
 * Ids of calls. A call without a recorded id gets one from its name and arguments, which does not change if an earlier
 * part is removed; a result belongs to the first open call with its id, without an id to the first one with its name, or else to the first open call.
 */
export class CallIds {
  readonly #counts = new Map<string, number>();
  #open: OpenCall[] = [];
  readonly #byId = new Map<string, OpenCall[]>();
  readonly #byName = new Map<string, OpenCall[]>();

  /** Starts a new turn of the model: earlier calls cannot be answered any more. */
  turn(): void {
    this.#open = [];
    this.#byId.clear();
    this.#byName.clear();
  }

  call(given: unknown, name: string, parameters: unknown): string {
    const id = typeof given === 'string' && given !== '' ? given : this.#made(name, parameters);
    const call = { id, isAnswered: false };
    this.#open.push(call);
    addTo(this.#byId, id, call);
    addTo(this.#byName, name, call);
    return id;
  }

  result(given: unknown, name: string): string {
    const isGiven = typeof given === 'string' && given !== '';
    const call = isGiven
      ? firstOpen(this.#byId.get(given))
      : (firstOpen(this.#byName.get(name)) ?? firstOpen(this.#open));
    if (call) call.isAnswered = true;
    return isGiven ? given : (call?.id ?? this.#made(name, undefined));
  }

  #made(name: string, parameters: unknown): string {
    const text = `${name} ${jsonText(parameters, name)}`;
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, ID_CHARACTERS);
    return count === 1 ? `call_${digest}` : `call_${digest}_${count}`;
  }
}
