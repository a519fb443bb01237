import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../../src/content/foreign-value.ts';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';
import type { AgentTools } from './agent-tools.ts';
import { COPIES, IN_SHELL } from './copies.ts';
import { ordinaryCalls, SUB_AGENT } from './ordinary-calls.ts';

type Call = NonNullable<Said['calls']>[number];

const RESULTS = /"type":"tool_result"|"role":"tool"|"functionResponse":|"type":"function_call_output"/g;
const REFUSED = /density: this call was not run\. A line/g;
const TOLD = /density: a line that this call wrote is a marker/g;
const IN_NO_CIRCLE = JSON.stringify({ unproductive_state_analysis: 'none', unproductive_state_confidence: 0 });
const RIGHT = 'the lines themselves';

export interface CopyOutcome {
  readonly copy: string;
  readonly outcome: 'refused' | 'told' | 'unseen';
  /** True if the file is as before after a refusal, and right once the lines were written. */
  isRight: boolean;
}

/** All texts in a value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
};

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A model that reads a file twice, copies the marker that it sees in each way, and writes the lines when it is told to; then makes ordinary calls. */
export class ScriptedCopies {
  readonly copies: CopyOutcome[] = [];
  readonly ordinary = { calls: 0, refusedOnce: 0, refusedTwice: 0, which: [] as string[] };
  readonly #said: Said[] = [];
  readonly #steps: Generator<Call, void, ProviderRequest>;

  constructor(tools: AgentTools, { work, file, has }: { work: string; file: string; has: (marker: string) => string }) {
    this.#steps = this.#play(tools, { work, file, has });
    this.#steps.next();
  }

  says(request: ProviderRequest): Said {
    const text = JSON.stringify(request.body);
    const isOfTools =
      isRecord(request.body) && Array.isArray(request.body['tools']) && request.body['tools'].length > 0;
    const results = countOf(text, RESULTS);
    // Gemini CLI asks for JSON whether its model turns in circles.
    if (!isOfTools) return { text: text.includes('unproductive') ? IN_NO_CIRCLE : 'A title' };
    if (results === 0 && text.includes(SUB_AGENT)) return { text: 'It is a marker.' };
    this.#said[results] ??= this.#next(request);
    return this.#said[results];
  }

  #next(request: ProviderRequest): Said {
    const { value, done } = this.#steps.next(request);
    return done ? { text: 'Done.' } : { calls: [value] };
  }

  /** Each call is answered by the next request. */
  *#play(
    { read, write, shell }: AgentTools,
    { work, file, has }: { work: string; file: string; has: (marker: string) => string },
  ): Generator<Call, void, ProviderRequest> {
    let { body } = yield read(file);
    ({ body } = yield read(file));
    ({ body } = yield read(file));
    const marker = textsIn(body)
      .flatMap((text) => text.match(/⟦density: \d+ lines[^⟧]*⟧/g) ?? [])
      .at(-1);
    if (marker === undefined) return;
    for (const [copy, form] of Object.entries(COPIES)) {
      const place = path.join(work, `copy-${this.copies.length}.txt`);
      const before = JSON.stringify(body);
      const content = form(marker);
      ({ body } = yield copy === IN_SHELL ? shell(`cat > ${place} <<'EOF'\n${content}\nEOF`) : write(place, content));
      const after = JSON.stringify(body);
      const isRefused = countOf(after, REFUSED) > countOf(before, REFUSED);
      const isTold = countOf(after, TOLD) > countOf(before, TOLD);
      const isAsBefore = !isRefused || !existsSync(place);
      // The shell writes over a file that the agent did not read.
      ({ body } = yield isRefused ? write(place, RIGHT) : shell(`printf '%s' '${RIGHT}' > ${place}`));
      const isRight = isAsBefore && existsSync(place) && readFileSync(place, 'utf8').trim() === RIGHT;
      this.copies.push({ copy, outcome: isRefused ? 'refused' : isTold ? 'told' : 'unseen', isRight });
    }
    const tools = JSON.stringify((body as { tools?: unknown }).tools ?? '');
    const task = ['Agent', 'Task'].find((name) => tools.includes(`"name":"${name}"`));
    for (const call of ordinaryCalls({ read, write, shell }, marker, { work, has: has(marker), task })) {
      const refused = (): number => countOf(JSON.stringify(body), REFUSED);
      const before = refused();
      this.ordinary.calls++;
      ({ body } = yield call);
      if (refused() === before) continue;
      this.ordinary.refusedOnce++;
      this.ordinary.which.push(JSON.stringify(call).slice(0, 100));
      const once = refused();
      ({ body } = yield call);
      if (refused() > once) this.ordinary.refusedTwice++;
    }
  }
}
