import type { IContent, ToolCallBlock } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import type { Session } from '../../src/formats/contract.ts';
import { type ReplayOptions, replaySession } from '../../src/replay/replay.ts';
import type { ReplayResult } from '../../src/replay/result.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';

/** Counted exactly, so that figures in tests can be checked by hand. */
export const MODEL = 'gpt-5';

/** Writes a session down entry by entry, with ids as a format would give them. */
export class SessionBuilder {
  readonly events: SessionEvent[] = [];
  #entries = 0;
  #calls = 0;

  add(content: IContent): IContent {
    const entry = { ...content, metadata: { ...content.metadata, id: `entry-${++this.#entries}` } };
    this.events.push({ kind: 'add', content: entry });
    return entry;
  }

  human(text: string): IContent {
    return this.add({ speaker: 'human', blocks: [{ type: 'text', text }] });
  }

  ai(text: string): IContent {
    return this.add({ speaker: 'ai', blocks: [{ type: 'text', text }] });
  }

  /** One call and its response. */
  tool(name: string, parameters: unknown, result: string, error?: string): { call: IContent; response: IContent } {
    const id = `call-${++this.#calls}`;
    const block: ToolCallBlock = { type: 'tool_call', id, name, parameters };
    const call = this.add({ speaker: 'ai', blocks: [block] });
    const response = this.add({
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId: id, toolName: name, result, ...(error !== undefined && { error }) }],
    });
    return { call, response };
  }

  /** The recorded agent continues with these entries only. */
  replace(contents: readonly IContent[]): void {
    this.events.push({ kind: 'replace', contents });
  }

  session(facts: Partial<Session> = {}): Session {
    return { format: 'high-density', workspaceRoot: '/project', events: this.events, skipped: [], ...facts };
  }
}

/** A file of so many lines, none like another. */
export const fileText = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `const ${name}${line} = ${line};`).join('\n');

/** Replays a session with the given clock, or a stopped one. */
export function replayed(
  session: Session,
  strategy = 'high-density',
  { settings = {}, ...options }: Partial<ReplayOptions> & { settings?: EphemeralSettings } = {},
): Promise<ReplayResult> {
  const layer = strategy === 'none' ? settings : { ...settings, 'compression.strategy': strategy };
  return replaySession(
    session,
    { strategy, model: MODEL, engine: 'inline' },
    {
      createStrategy: (name) => getCompressionStrategy(name),
      ephemerals: createEphemerals([layer as EphemeralSettings], { model: MODEL }),
      clock: () => 0,
      ...options,
    },
  );
}
