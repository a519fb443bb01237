import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CompressionOutcome,
  createHistoryService,
  createUserMessage,
  type Ephemerals,
  type HistoryService,
  type IContent,
  PreSendGate,
  type Restoration,
} from 'high-density';
import { liveHistory } from 'high-density/formats';
import { type ChatModel, createChatModel, createProvider } from 'high-density/providers';
import { readSessionOnThread, SessionLog } from 'high-density/sessions';
import { promptFiles } from 'high-density/settings';
import type { Settings } from './settings.ts';

interface Options {
  readonly vendor: string;
  /** The model and address of the vendor; absent: its own. */
  readonly access: { readonly model?: string; readonly baseUrl?: string };
  readonly settings: Settings;
  /** The file that this conversation is written to; continued if it has text. */
  readonly session: string;
  /** A session of any agent whose entries a new session begins with; its file does not change. */
  readonly from?: string;
  readonly onNotice: (text: string) => void;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const INSTRUCTIONS = 'You are a helpful assistant. Answer in plain text.';
/** Between so many entries of a long session, typed keys are echoed. */
const ENTRIES_AT_ONCE = 200;

/** A history, the gate before its sends, the model that answers, and the file that follows all of it. */
export class Conversation {
  readonly history: HistoryService;
  readonly model: ChatModel;
  readonly settings: Settings;
  readonly session: string;
  readonly #log: SessionLog;
  readonly #gate: PreSendGate;
  readonly #first: string | undefined;
  readonly #isResumed: boolean;
  readonly #workspaceRoot = process.cwd();
  #strategyOnce: string | undefined;

  /** @throws CompressionStrategyError if another process writes the session, or the key of the vendor is missing. */
  constructor({ vendor, access, settings, session, from, onNotice }: Options) {
    this.settings = settings;
    this.session = session;
    this.#isResumed = sizeOf(session) > 0;
    this.#first = this.#isResumed ? session : from;
    this.model = createChatModel(vendor, access);
    const { model } = this.model;
    const expectedBytes = this.#first === undefined ? 0 : sizeOf(this.#first);
    this.history = createHistoryService({ engine: settings.engine, model, expectedBytes });
    this.history.on('engineDegraded', ({ reason }) => onNotice(`Threads do not work: ${reason.message}`));
    this.history.on('engineRestored', () => onNotice('Threads work again.'));
    const header = { id: path.basename(session, '.jsonl'), startedAt: Date.now(), model };
    this.#log = new SessionLog(session, { ...header, workspaceRoot: this.#workspaceRoot });
    const ephemerals = (): Ephemerals => settings.ephemerals(model, this.#strategyOnce);
    this.#gate = new PreSendGate(this.history, {
      // A getter, so that `/set` counts from the next send on.
      runtimeContext: {
        workspaceRoot: this.#workspaceRoot,
        get ephemerals() {
          return ephemerals();
        },
      },
      runtimeState: { model },
      // The log has every entry already; nothing is removed before it is on disk.
      transcript: { path: this.#log.path, append: () => this.#log.flush() },
      // What `/compress one-shot` and `middle-out` ask. A file of this folder replaces a prompt.
      summarizer: {
        resolveProvider: () => createProvider(vendor, { ...access, model }),
        promptResolver: promptFiles,
        promptBaseDir: path.join(this.#workspaceRoot, 'prompts'),
        promptContext: {},
      },
      onNotice,
    });
  }

  /** Reads the first entries on a thread and adds them in slices; returns how many there are. */
  async begin(onProgress: (share: number) => void, signal: AbortSignal): Promise<number> {
    if (this.#first === undefined) return 0;
    const entries = liveHistory(await readSessionOnThread(this.#first, { onProgress }));
    if (this.#isResumed) this.#log.know(entries);
    for (const [index, entry] of entries.entries()) {
      if (index % ENTRIES_AT_ONCE === 0) await nextTurn();
      signal.throwIfAborted();
      if (this.#isResumed) this.history.add(entry, this.model.model);
      else this.#append(entry);
    }
    return entries.length;
  }

  /** Sends a message and resolves when the model has answered. @throws the reason of `signal`, and what the gate throws. */
  async say(text: string, { signal, onText }: { signal: AbortSignal; onText: (text: string) => void }) {
    this.#append(createUserMessage(text));
    await this.#log.flush();
    const report = await this.#followed(
      this.#gate.ensureCompressionBeforeSend(randomUUID(), 0, 'chat', { signal }),
      ({ compression, enforcement }) => compression.kind === 'compressed' || enforcement.kind === 'enforced',
    );
    const outcome = await this.model.answer({
      instructions: INSTRUCTIONS,
      history: this.history.getCuratedForProvider(),
      tools: [],
      onPart: (part) => part.kind === 'text' && onText(part.text),
      signal,
    });
    if (outcome.kind === 'answer') this.#append(outcome.content);
    await this.#log.flush();
    return { report, failure: outcome.kind === 'answer' ? undefined : outcome.message };
  }

  /** Compresses now, with the strategy of the settings or another one. @throws what the strategy throws. */
  async compress(signal: AbortSignal, strategy?: string): Promise<CompressionOutcome> {
    this.#strategyOnce = strategy;
    try {
      const compression = this.#gate.performCompression(randomUUID(), { signal });
      return await this.#followed(compression, ({ kind }) => kind === 'compressed');
    } finally {
      this.#strategyOnce = undefined;
    }
  }

  /** Restores what the last compression removed. */
  undo(): Promise<Restoration> {
    return this.#followed(this.history.restoreLastCompression(), ({ kind }) => kind === 'restored');
  }

  /** Writes what is pending and ends the work of threads for this history. */
  async close(): Promise<void> {
    this.history.dispose();
    await this.#log.close();
  }

  /** Each entry is in the file before it is sent; an id is how later lines of the file name it. */
  #append(content: IContent): void {
    const entry = { ...content, metadata: { timestamp: Date.now(), ...content.metadata, id: randomUUID() } };
    this.#log.add(entry);
    this.history.add(entry, this.model.model);
  }

  /** Writes the whole history after a step that replaced it, or that failed: it may have done half of its work. */
  async #followed<Outcome>(step: Promise<Outcome>, hasReplaced: (outcome: Outcome) => boolean): Promise<Outcome> {
    let isReplaced = true;
    try {
      const outcome = await step;
      isReplaced = hasReplaced(outcome);
      return outcome;
    } finally {
      if (isReplaced) this.#log.rebuild(this.history.getRawHistory());
    }
  }
}
