import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import type { Session } from '../../../src/formats/contract.ts';
import type { Pruner } from '../../../src/live/contract.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { conversationsFolder } from '../../../src/sessions/places/data-folder.ts';
import type { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import { configOf, type PlayedModel } from '../live/played-models.ts';
import { Agent, type RecordedCall, recordedCalls } from '../live/recorded-calls.ts';
import { changedPrefix, listOf, type SentList } from '../live/sent-list.ts';
import { resumedCopy } from './copy.ts';
import { thinkingAt, thinkingIn } from './thinking.ts';

/** How a session is gone on with: which third of its calls is wrapped. `resumed`: the second third is that of the copy of `density optimize --start`. */
const WRAPPED_THIRDS = {
  alone: [false, false, false],
  wrapped: [true, true, true],
  left: [true, false, true],
  resumed: [true, false, true],
} as const;
export type Way = keyof typeof WRAPPED_THIRDS;
export const WAYS = Object.keys(WRAPPED_THIRDS) as readonly Way[];

const NOTHING = {
  calls: 0,
  dollars: 0,
  /** Requests that were refused because thinking is bound to other text, and sent again without any. */
  refused: 0,
  /** Thinking that a request had, or had before it was refused, and that the model did not read. */
  lostThinking: 0,
  /** Elements that the last wrapped request sent in another form than the first one of the agent alone. */
  changedByLeaving: 0,
};
export type WayPlayed = Readonly<typeof NOTHING>;
export type LeavingPlayed = Readonly<Record<Way, WayPlayed>>;

export interface LeavingOptions {
  readonly provider: StrictProvider;
  readonly played: PlayedModel;
  readonly session: Session;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly agent: string;
}

/**
 * Plays the calls of a session in each way, side by side, until the first request that is refused for another reason than thinking,
 * such as its length: from there on the bills cannot be compared.
 */
export async function playLeaving(calls: readonly RecordedCall[], options: LeavingOptions): Promise<LeavingPlayed> {
  const plays = WAYS.map((way) => new WayPlay(way, calls, options));
  const before = process.env['XDG_DATA_HOME'];
  try {
    for (let at = 0; at < calls.length; at++) {
      const accepted = [];
      for (const play of plays) accepted.push(await play.call(at));
      if (accepted.includes(false)) break;
      for (const play of plays) play.note();
    }
    return Object.fromEntries(plays.map((play) => [play.way, play.counts])) as LeavingPlayed;
  } finally {
    for (const play of plays) play.end();
    if (before === undefined) delete process.env['XDG_DATA_HOME'];
    else process.env['XDG_DATA_HOME'] = before;
  }
}

class WayPlay {
  readonly way: Way;
  counts = { ...NOTHING };
  readonly #options: LeavingOptions;
  /** Has every answer as it was heard. */
  readonly #recorder: Agent;
  /** Writes the requests. */
  #agent: Agent;
  readonly #recorded: readonly RecordedCall[];
  readonly #data = mkdtempSync(path.join(os.tmpdir(), 'leaving-'));
  readonly #lost = new Set<unknown>();
  #session: Session;
  /** The calls of the session, or of its copy. */
  #calls: readonly RecordedCall[];
  /** One for each run of the agent under `density wrap`. */
  #pruner: Pruner | undefined;
  #nowMs = 0;
  #last: SentList = { list: [], sent: [] };
  #call = { ...NOTHING };

  constructor(way: Way, calls: readonly RecordedCall[], options: LeavingOptions) {
    this.way = way;
    this.#options = options;
    this.#recorded = calls;
    this.#calls = calls;
    this.#session = { ...options.session, id: 'the session' };
    this.#recorder = new Agent(options.played.api);
    this.#agent = this.#recorder;
  }

  /** False if the request is refused for another reason than thinking. */
  async call(at: number): Promise<boolean> {
    this.#nowMs = this.#recorded[at]!.atMs;
    this.#call = { ...NOTHING, calls: 1 };
    const isWrapped = WRAPPED_THIRDS[this.way][Math.floor((3 * at) / this.#recorded.length)]!;
    const isLeft = this.#pruner !== undefined && !isWrapped;
    if (isLeft) this.#leave();
    if (isWrapped) this.#pruner ??= this.#start();
    const body = await this.#body(at);
    const list = this.#recorder.list(this.#recorded[at]!.entries);
    const now = { list: listOf(this.#recorder.body(list, this.#options.played)), sent: listOf(body) };
    if (isLeft) this.#call.changedByLeaving = changedPrefix(this.#last, now);
    this.#last = now;
    return this.#send(body, at);
  }

  /** Counts the last call. */
  note(): void {
    const sums = Object.entries(this.counts).map(([name, sum]) => [name, sum + this.#call[name as keyof WayPlayed]]);
    this.counts = { ...(Object.fromEntries(sums) as WayPlayed), lostThinking: this.#lost.size };
  }

  end(): void {
    rmSync(this.#data, { recursive: true, force: true });
  }

  #start(): Pruner {
    process.env['XDG_DATA_HOME'] = this.#data;
    const { played, vocabulary, workspaceRoot, agent } = this.#options;
    return createPruner({
      api: played.api,
      vocabulary,
      workspaceRoot,
      agent,
      config: configOf(played),
      store: fileStore(conversationsFolder()),
      archive: async () => {},
      mostMs: Number.POSITIVE_INFINITY,
      now: () => this.#nowMs,
    });
  }

  #leave(): void {
    this.#pruner = undefined;
    if (this.way !== 'resumed') return;
    process.env['XDG_DATA_HOME'] = this.#data;
    const copy = resumedCopy(this.#session, this.#recorder, this.#options.played.api);
    this.#session = copy.session;
    this.#agent = copy.agent;
    this.#calls = recordedCalls(this.#session);
  }

  async #body(at: number): Promise<object> {
    const { played } = this.#options;
    const body = this.#agent.body(this.#agent.list(this.#calls[at]!.entries), played);
    if (this.#pruner === undefined) return body;
    const headers = { 'x-claude-code-session-id': this.#session.id! };
    return (await this.#pruner.prune({ body, model: played.model, headers })).body;
  }

  async #send(body: object, at: number): Promise<boolean> {
    const { provider, played } = this.#options;
    const { api, model, account } = played;
    const { says, answerId } = this.#recorded[at]!;
    const outcome = provider.receive({ api, model, says, body, account: `${this.way} ${account}` }, this.#nowMs);
    if (outcome.status === 200) {
      for (const agent of new Set([this.#recorder, this.#agent])) agent.hear(answerId, outcome.answer);
      this.#call.dollars = outcome.dollars ?? 0;
      for (const { place } of outcome.dropped) this.#lost.add(thinkingAt(body, place));
      return true;
    }
    if (!outcome.message.includes('bound to a different conversation') || this.#call.refused > 0) return false;
    // As Claude Code does: without its earlier thinking the conversation goes on.
    this.#call.refused++;
    for (const signature of thinkingIn(body)) this.#lost.add(signature);
    this.#agent.forget();
    return this.#send(await this.#body(at), at);
  }
}
