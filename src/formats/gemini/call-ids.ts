import { createHash } from 'node:crypto';
import { jsonText } from '../json/json-text.ts';

const ID_CHARACTERS = 12;

/**
 * Ids of calls. A call without a recorded id gets one from its name and arguments, which does not change if an earlier
 * part is removed; a result belongs to the open call with its name, or else to the first open call.
 */
export class CallIds {
  readonly #counts = new Map<string, number>();
  #open: { readonly id: string; readonly name: string }[] = [];

  /** Starts a new turn of the model: earlier calls cannot be answered any more. */
  turn(): void {
    this.#open = [];
  }

  call(given: unknown, name: string, parameters: unknown): string {
    const id = typeof given === 'string' && given !== '' ? given : this.#made(name, parameters);
    this.#open.push({ id, name });
    return id;
  }

  result(given: unknown, name: string): string {
    const isGiven = typeof given === 'string' && given !== '';
    const exact = this.#open.findIndex((call) => (isGiven ? call.id === given : call.name === name));
    const place = exact === -1 && !isGiven ? 0 : exact;
    const [call] = place === -1 ? [] : this.#open.splice(place, 1);
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
