/** Everything here is a part of what Claude Code gives a mod. Source: https://code.claude.com/docs/en/plugins/mods/reference, as of 2.1.330. */

interface ToolUse {
  readonly tool_use_id: string;
  readonly tool: string;
  readonly input: unknown;
  /** What its result shows. */
  readonly text: string;
}

interface ToolResult {
  readonly tool_use_id: string;
  readonly text: string;
  readonly isError: boolean;
  /** The result as the agent stores it. */
  readonly result?: unknown;
}

/** A message of the transcript; each block of an answer is a message of its own. */
export interface TranscriptMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolUses: readonly ToolUse[];
  readonly toolResults?: readonly ToolResult[];
  /** Names the agent's own message, which it then keeps as it is. */
  readonly handle?: unknown;
}

/** The window of the session, and the limits of the person's plan. */
export interface SessionUsage {
  /** `tokens` is not known before the first answer. */
  readonly context: { readonly window: number; readonly tokens?: number };
  readonly rateLimits: readonly { readonly kind: string; readonly percentUsed: number }[];
}

interface Wait {
  cancel(): void;
}

/** Something to draw. */
type Drawn = object;
type DrawnTable = Readonly<Record<'Box' | 'Text', (properties: object) => Drawn>>;

/** What a mod may ask of the agent. */
export interface Agent {
  readonly plugin: { readonly root: string };
  readonly session: {
    id(): Promise<string>;
    cwd(): Promise<string>;
    model(): Promise<string>;
    messages(): Promise<readonly TranscriptMessage[]>;
    usage(): Promise<SessionUsage>;
    surfaces(): Promise<readonly unknown[]>;
    compact(): Promise<unknown>;
  };
  readonly command: {
    register(command: { name: string; description: string; argumentHint: string }): Promise<void>;
    run(command: { command: string; args: string }): Promise<unknown>;
  };
  readonly process: {
    run(
      command: readonly string[],
      options: { stdin: string; timeoutMs: number },
    ): Promise<{ readonly exitCode: number | null; readonly stdout: string }>;
  };
  readonly store: {
    get(key: string): Promise<unknown>;
    set(key: string, value: unknown): Promise<void>;
  };
  readonly clock: { after(ms: number, go: () => void): Wait };
  readonly ui: {
    log(text: string, options?: { to: 'debug' }): void;
    invalidate(event: string): void;
    panes(): Promise<readonly { readonly id: string }[]>;
    open(pane: { id: string; title: string; closeOnEscape: boolean }): Promise<void>;
    close(pane: { id: string }): Promise<void>;
    resolve(event: RenderEvent): DrawnTable;
  };
}

export interface TurnEvent {
  /** Present in a turn of a sub-agent. */
  readonly agentId?: string;
  /** Of the last request; at the end of a turn. */
  readonly usage?: { readonly ephemeral_1h_input_tokens?: number; readonly ephemeral_5m_input_tokens?: number } | null;
}

export interface CompactEvent {
  readonly trigger: 'manual' | 'auto' | 'plugin' | 'precompute';
  readonly messages: readonly TranscriptMessage[];
  readonly instructions?: string;
  readonly agentId?: string;
}

export interface RenderEvent {
  /** Names the pane. */
  readonly requestId?: string;
  readonly props: { readonly hasSurvey?: boolean };
}

interface ModEvents {
  readonly 'session.start': object;
  readonly 'command.run': { readonly command: string; readonly args: string };
  readonly 'turn.start': TurnEvent;
  readonly 'turn.complete': TurnEvent;
  readonly 'session.compact': CompactEvent;
}

/** `next` does what the agent does without the mod. */
type Hook<ModEvent> = ($: Agent, event: ModEvent, next: (event: ModEvent) => Promise<unknown>) => Promise<unknown>;

/** Registers a function for an event of the agent. */
export interface On {
  <Name extends keyof ModEvents>(name: Name, hook: Hook<ModEvents[Name]>): void;
  (name: 'ui.render', matched: { readonly component: string }, hook: Hook<RenderEvent>): void;
}

/** What a transcript becomes, or why the agent does not compact. */
export type CompactOutcome = { readonly messages: readonly TranscriptMessage[] } | { readonly skip: string };
