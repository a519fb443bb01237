import type { ContentBlock, IContent, Speaker, ToolCallBlock } from '../../content/content.ts';
import { asText, type Fields as Event, isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import { argumentsIn, callOf, factsOf, recalledText, resultOf, wordsOf } from './event.ts';

/** Actions and observations that are not sent. Source: OpenHands 0.9 to 0.58. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  'null',
  'change_agent_state',
  'agent_state_changed',
  'condensation_request',
  'loop_recovery',
  'loop_detection',
  'pause',
  'resume',
  'start',
  'stop',
]);

/** Facts of a whole event list. */
export interface EventFacts {
  model?: string;
  workspaceRoot?: string;
  systemText?: string;
}

/** Reads an event list into the events of a session. */
export class EventReader {
  readonly events: SessionEvent[] = [];
  readonly facts: EventFacts = {};
  readonly #prefix: string;
  #live: { readonly eventId: unknown; readonly content: IContent }[] = [];
  readonly #calls = new Map<unknown, ToolCallBlock>();
  #last: ToolCallBlock | undefined;

  /** `prefix` makes the ids of several lists in one file unique. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  read(event: Event, index: number): void {
    const id = `${this.#prefix}event-${index}`;
    const { action, observation } = event;
    if (NOT_SENT.has(action ?? observation)) return;
    if (typeof observation === 'string') this.#observation(event, id, observation);
    else if (typeof action === 'string') this.#action(event, id, action);
  }

  #add(event: Event, id: string, speaker: Speaker, blocks: readonly ContentBlock[], reason?: string): void {
    if (blocks.length === 0) return;
    const { timestamp, usage, model } = factsOf(event);
    const metadata = recordedMetadata({ id, timestamp, usage, model });
    if (reason !== undefined) metadata.reason = reason;
    if (metadata.model !== undefined) this.facts.model = metadata.model;
    const content: IContent = { speaker, blocks, metadata };
    this.#live.push({ eventId: event['id'], content });
    this.events.push({ kind: 'add', content });
  }

  #action(event: Event, id: string, action: string): void {
    if (action === 'recall') return;
    if (action === 'system') this.#system(event);
    else if (action === 'condensation') this.#condense(event, id);
    else if (action === 'message')
      // Early versions have no source: only users write messages there.
      this.#add(event, id, event['source'] === 'agent' ? 'ai' : 'human', wordsOf(event));
    // The last message of an agent is sent to it as text.
    else if (action === 'finish') this.#add(event, id, 'ai', wordsOf(event));
    else {
      const call = callOf(event, id);
      this.#calls.set(event['id'], call);
      this.#last = call;
      const thought = action === 'think' ? '' : asText(argumentsIn(event)['thought']);
      const words: ContentBlock[] = thought.trim() === '' ? [] : [{ type: 'text', text: thought }];
      this.#add(event, id, 'ai', [...words, call]);
    }
  }

  #observation(event: Event, id: string, observation: string): void {
    this.#workspace(event);
    if (observation === 'recall') {
      const text = recalledText(event);
      if (text !== '') this.#add(event, id, 'human', [{ type: 'text', text }], 'recall');
      return;
    }
    const call = 'cause' in event ? this.#calls.get(event['cause']) : this.#last;
    this.#last = undefined;
    if (call) this.#add(event, id, 'tool', [resultOf(event, call)]);
    else if (asText(event['content']) !== '')
      this.#add(event, id, 'human', [{ type: 'text', text: asText(event['content']) }], observation);
  }

  #system(event: Event): void {
    const given = argumentsIn(event);
    const tools = Array.isArray(given['tools']) && given['tools'].length > 0 ? [JSON.stringify(given['tools'])] : [];
    this.facts.systemText = [asText(given['content']), ...tools].join('\n');
  }

  #workspace({ extras }: Event): void {
    if (!isRecord(extras) || this.facts.workspaceRoot !== undefined) return;
    const shell = isRecord(extras['metadata']) ? extras['metadata'] : {};
    const directory = extras['working_dir'] ?? shell['working_dir'];
    if (typeof directory === 'string' && directory.startsWith('/')) this.facts.workspaceRoot = directory;
  }

  /** Replaces forgotten events by a summary. */
  #condense(event: Event, id: string): void {
    const given = argumentsIn(event);
    const ids = new Set(Array.isArray(given['forgotten_event_ids']) ? given['forgotten_event_ids'] : []);
    const start = given['forgotten_events_start_id'];
    const end = given['forgotten_events_end_id'];
    const isForgotten = (eventId: unknown): boolean =>
      ids.has(eventId) ||
      (typeof start === 'number' && typeof end === 'number' && Number(eventId) >= start && Number(eventId) <= end);
    this.#live = this.#live.filter(({ eventId }) => !isForgotten(eventId));
    const summary = asText(given['summary']);
    if (summary !== '') {
      const offset = typeof given['summary_offset'] === 'number' ? given['summary_offset'] : this.#live.length;
      const metadata = recordedMetadata({ id, isSummary: true });
      const content: IContent = { speaker: 'human', blocks: [{ type: 'text', text: summary }], metadata };
      this.#live.splice(offset, 0, { eventId: event['id'], content });
    }
    const contents = this.#live.map(({ content }) => content);
    this.events.push({ kind: 'replace', contents, by: { kind: 'compaction' } });
  }
}
