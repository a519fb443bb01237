import type { IContent, ToolCallBlock } from '../content/content.ts';
import { raced } from '../deadline.ts';
import type { BlockArchive } from '../disk/block-archive.ts';
import { fileStatus } from '../disk/file-status.ts';
import { codeOf, messageOf } from '../errors.ts';
import type { GateReport } from '../gate/report.ts';
import type { GuardLog } from '../guard/guard-log.ts';
import type { EngineName } from '../history/engine.ts';
import { createHistoryService, switchEngine } from '../offload/create-history-service.ts';
import type { ChatModel } from '../providers/chat-model.ts';
import { promptFiles, promptsFolder } from '../settings/prompt-files.ts';
import type { IProvider } from '../strategies/contract.ts';
import { type Wait, waitFor } from './ask-model.ts';
import { attachFiles } from './attached-files.ts';
import type { Approver, ChatListener, TurnEnd } from './chat-event.ts';
import type { ChatSettings } from './chat-settings.ts';
import { refusedCopy } from './refused-copy.ts';
import { type CallUsage, ChatSession } from './session/chat-session.ts';
import { newSessionId, sessionFile } from './session/session-files.ts';
import { type Beginning, type SessionLoading, sessionLoading } from './session/session-loading.ts';
import { SessionLog } from './session/session-log.ts';
import { systemPrompt } from './system-prompt.ts';
import type { ApprovalKind } from './tools/contract.ts';
import { TOOLS } from './tools/index.ts';
import { runTurn } from './turn.ts';
import type { Workspace } from './workspace.ts';

export interface ConversationOptions {
  readonly workspace: Workspace;
  readonly settings: ChatSettings;
  /** The folder of the sessions. */
  readonly folder: string;
  /** Keeps removed blocks if the settings say so. */
  readonly archive?: BlockArchive;
  /** Where calls are noted that would have written a marker. */
  readonly guardLog: GuardLog;
  /** The model of this name, or the provider's default. */
  readonly createModel: (model?: string) => ChatModel;
  /** The same model as a summariser with retries. */
  readonly createSummarizer: (model: string) => IProvider;
  readonly model?: string;
  readonly approve: Approver;
  /** Kinds of calls that run without asking. */
  readonly allowed?: readonly ApprovalKind[];
  readonly emit: ChatListener;
  readonly wait?: Wait;
  readonly now?: () => number;
}

/** Opens a conversation for a screen that shows its events and answers its questions. */
export type OpenConversation = (screen: Pick<ConversationOptions, 'emit' | 'approve'>) => Conversation;

/** The content of the status line. Tokens include the system prompt and the tools. */
export interface ChatStatus {
  readonly provider: string;
  readonly model: string;
  readonly tokens: number;
  readonly limitTokens: number;
  readonly thresholdRatio: number;
  readonly strategy: string;
  readonly engine: EngineName;
  readonly isDegraded: boolean;
  readonly lastGate: GateReport | undefined;
  /** The usage of the last model call; undefined if there was no call, or the provider reported no usage. */
  readonly lastUsage: CallUsage | undefined;
  readonly sessionId: string;
  /** 0-1 while a session is read; undefined when it is complete. */
  readonly loadedShare: number | undefined;
}

/** An agent's conversation with one user: model, settings, and the open session. */
export class Conversation {
  readonly settings: ChatSettings;
  readonly workspace: Workspace;
  readonly folder: string;
  readonly archive: BlockArchive | undefined;
  readonly #options: ConversationOptions;
  readonly #allowed: Set<ApprovalKind>;
  #model: ChatModel;
  #session: ChatSession;
  #loading: SessionLoading;
  #hasSaidFull = false;

  /** Starts to read the first session; see `ready`. @throws CompressionStrategyError `SESSION_IN_USE`; what `createModel` throws. */
  constructor(options: ConversationOptions, beginning: Beginning = { kind: 'new' }) {
    this.#options = options;
    this.settings = options.settings;
    this.workspace = options.workspace;
    this.folder = options.folder;
    this.archive = options.archive;
    this.#allowed = new Set(options.allowed);
    this.#model = options.createModel(options.model);
    this.#session = this.#begin(beginning);
    this.#loading = sessionLoading(this.#session, beginning, options.emit);
  }

  get session(): ChatSession {
    return this.#session;
  }

  get model(): ChatModel {
    return this.#model;
  }

  /** Resolves when the open session is read. @throws as `SessionLoading.ready` does. */
  get ready(): Promise<void> {
    return this.#loading.ready;
  }

  status(): ChatStatus {
    const { history, degraded, lastGate, lastUsage, log } = this.#session;
    const ephemerals = this.settings.ephemerals(this.#model.model);
    return {
      provider: this.#model.name,
      model: this.#model.model,
      tokens: history.getTotalTokens(),
      limitTokens: ephemerals.contextLimit(),
      thresholdRatio: ephemerals.compressionThreshold(),
      strategy: ephemerals.compressionStrategy(),
      engine: history.engine.name,
      isDegraded: degraded !== undefined,
      lastGate,
      lastUsage,
      sessionId: log.id,
      loadedShare: this.#loading.share,
    };
  }

  /** Sends a message with the files it mentions, and waits until the model has answered. Never throws. */
  async say(text: string, signal: AbortSignal): Promise<TurnEnd> {
    const { emit, approve, wait = waitFor, now = Date.now } = this.#options;
    const session = this.#session;
    try {
      await raced(this.ready, signal);
      const { blocks, attached, refused } = await attachFiles(text, this.workspace, signal);
      if (attached.length > 0) emit({ kind: 'notice', text: `Attached ${attached.join(', ')}.` });
      for (const reason of refused) emit({ kind: 'notice', text: reason });
      const setTodos = (todos: ChatSession['todos']): void => {
        session.todos = todos;
      };
      const { workspace } = this;
      const context = { workspace, signal, setTodos };
      const refusalOf = (call: ToolCallBlock): Promise<string | undefined> =>
        refusedCopy(call, {
          ...{ history: session.history.getCurated(), workspace, signal },
          ...{ log: this.#options.guardLog, session: session.log.id, at: now() },
        });
      return await runTurn(
        {
          session,
          model: this.#model,
          instructions: this.#instructions(),
          tools: TOOLS,
          round: { context, approve, allowed: this.#allowed, emit, clock: now, refusalOf },
          emit,
          wait,
          signal,
        },
        blocks,
      );
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' };
      return { kind: 'failed', message: messageOf(error) };
    } finally {
      emit({ kind: 'status' });
    }
  }

  /** Switches to another model of the same provider. @throws what `createModel` throws. */
  setModel(name: string): void {
    this.#model = this.#options.createModel(name);
    this.#session.log.noteModel(name);
    this.#countInstructions(this.#session);
  }

  /** Switches the engine if the settings name another one. */
  async followEngine(): Promise<void> {
    const { history } = this.#session;
    if (history.engine.name !== this.settings.engine) await switchEngine(history, this.settings.engine);
  }

  /** Opens another session. @throws as the constructor; the current session then remains open. */
  async switchTo(beginning: Beginning): Promise<void> {
    const before = this.#session;
    this.#session = this.#begin(beginning);
    this.#loading = sessionLoading(this.#session, beginning, this.#options.emit);
    await before.close();
  }

  /** Writes what is pending and drops running counts. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  #begin(beginning: Beginning): ChatSession {
    const { workspace, emit, folder, now = Date.now } = this.#options;
    const startedAt = now();
    const id = beginning.kind === 'resume' ? beginning.id : newSessionId(new Date(startedAt));
    const header = { id, startedAt, model: this.#model.model, workspaceRoot: workspace.root };
    const isNew = beginning.kind !== 'resume';
    const log = new SessionLog(isNew ? sessionFile(folder, id) : beginning.path, header, { isNew });
    const session = new ChatSession({
      history: createHistoryService({
        engine: this.settings.engine,
        model: this.#model.model,
        expectedBytes: beginning.kind === 'new' ? 0 : (fileStatus(beginning.path)?.size ?? 0),
      }),
      log,
      workspaceRoot: workspace.root,
      model: () => this.#model.model,
      ephemerals: () => this.settings.ephemerals(this.#model.model),
      summarizer: {
        resolveProvider: () => this.#options.createSummarizer(this.#model.model),
        promptResolver: promptFiles,
        promptBaseDir: promptsFolder(),
        promptContext: {},
      },
      emit,
      keep: (entries) => this.#keep(entries),
      now,
    });
    this.#countInstructions(session);
    return session;
  }

  /** Keeps entries in the archive, if the settings say so. If the archive is full, the session's file still has them. */
  async #keep(entries: readonly IContent[]): Promise<void> {
    if (!this.settings.keepsArchive) return;
    try {
      await this.archive?.keep(entries.flatMap(({ blocks }) => blocks));
    } catch (error) {
      if (codeOf(error) !== 'ARCHIVE_FULL') throw error;
      const text = `${messageOf(error)} What is removed until then is in the file of this session only.`;
      if (!this.#hasSaidFull) this.#options.emit({ kind: 'notice', text });
      this.#hasSaidFull = true;
    }
  }

  #instructions(): string {
    const { now = Date.now } = this.#options;
    const today = new Date(now()).toISOString().slice(0, 10);
    return systemPrompt({ workspaceRoot: this.workspace.root, today });
  }

  /** Counts the system prompt and the tools, which every call contains. */
  #countInstructions({ history }: ChatSession): void {
    const tools = TOOLS.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const text = `${this.#instructions()}\n${JSON.stringify(tools)}`;
    history
      .estimateTokensForText(text, this.#model.model)
      .then((tokens) => history.setBaseTokenOffset(tokens))
      .catch((error: unknown) => this.#options.emit({ kind: 'notice', text: messageOf(error) }));
  }
}
