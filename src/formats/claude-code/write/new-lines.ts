import { createHash } from 'node:crypto';
import type { ContentBlock, IContent, Usage } from '../../../content/content.ts';
import type { Fields } from '../../../content/foreign-value.ts';
import { writeContent } from '../../anthropic/anthropic-content.ts';
import { withBesideFields } from '../../usage/anthropic-beside.ts';
import { REPORTED } from '../../usage/usage-report.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LATEST_DATE = 8.64e15;

/** The fields that every line of a session repeats: session id, directory, version. */
type Envelope = Fields;

/** Makes new lines of a session, each a child of the previous one. Equal seeds and entries give equal lines. */
export class LineMaker {
  /** The parent of the next line. */
  parentUuid: string | null;
  readonly #envelope: Envelope;
  readonly #seed: string;
  readonly #model: string;
  readonly #taken: Set<string>;
  /** The line of each call. */
  readonly #callers = new Map<string, string>();
  #count = 0;

  constructor(
    envelope: Envelope,
    options: { seed: string; model?: string | undefined; parentUuid?: string | null; taken?: Iterable<string> },
  ) {
    this.#envelope = envelope;
    this.#seed = options.seed;
    this.#model = options.model ?? 'unknown';
    this.parentUuid = options.parentUuid ?? null;
    this.#taken = new Set(options.taken);
  }

  #digest(): string {
    return createHash('sha256')
      .update(`${this.#seed}/${this.#count++}`)
      .digest('hex');
  }

  #uuid(wanted: string | undefined): string {
    let uuid = wanted !== undefined && UUID.test(wanted) ? wanted : '';
    while (uuid === '' || this.#taken.has(uuid)) {
      const hex = this.#digest();
      uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    }
    this.#taken.add(uuid);
    return uuid;
  }

  /** A line that is not sent to a model. */
  note(fields: Fields, timestamp: number): Fields {
    return this.#line(fields, undefined, timestamp);
  }

  #line(fields: Fields, content: IContent | undefined, timestamp: number, wanted?: string): Fields {
    const own = content?.metadata?.timestamp;
    const time = own !== undefined && Math.abs(own) <= LATEST_DATE ? own : timestamp;
    const uuid = this.#uuid(wanted);
    const { parentUuid } = this;
    this.parentUuid = uuid;
    return { parentUuid, ...this.#envelope, ...fields, uuid, timestamp: new Date(time).toISOString() };
  }

  /** The lines of one entry; `timestamp`, in milliseconds since 1970, is for an entry without a time. */
  lines(content: IContent, timestamp: number): Fields[] {
    if (content.speaker === 'ai') return this.#answer(content, timestamp);
    if (content.speaker === 'tool') return this.#results(content, timestamp);
    const items = writeContent(content.blocks);
    const [only] = content.blocks;
    const text = content.blocks.length === 1 && only?.type === 'text' ? only.text : items;
    const marks = {
      ...(content.metadata?.isSummary && { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      ...(content.metadata?.synthetic && !content.metadata.isSummary && { isMeta: true }),
    };
    const fields = { type: 'user', message: { role: 'user', content: text }, ...marks };
    return [this.#line(fields, content, timestamp, content.metadata?.id)];
  }

  #answer(content: IContent, timestamp: number): Fields[] {
    const id = `msg_${this.#digest().slice(0, 24)}`;
    const { usage, model } = content.metadata ?? {};
    const reported = { ...reportOf(usage), ...(usage?.reported && { [REPORTED]: reportOf(usage.reported) }) };
    return content.blocks.map((block, index) => {
      const message = {
        model: model ?? this.#model,
        id,
        type: 'message',
        role: 'assistant',
        content: writeContent([block]),
        stop_reason: null,
        stop_sequence: null,
        usage: reported,
      };
      const wanted = index === 0 ? content.metadata?.id : undefined;
      const line = this.#line({ type: 'assistant', message }, content, timestamp, wanted);
      if (block.type === 'tool_call') this.#callers.set(block.id, String(line['uuid']));
      return line;
    });
  }

  #results(content: IContent, timestamp: number): Fields[] {
    return resultRuns(content.blocks).map((blocks, index) => {
      const [first] = blocks;
      const caller = first?.type === 'tool_response' ? this.#callers.get(first.callId) : undefined;
      const fields = {
        type: 'user',
        message: { role: 'user', content: writeContent(blocks) },
        ...(caller !== undefined && { sourceToolAssistantUUID: caller }),
      };
      return this.#line(fields, content, timestamp, index === 0 ? content.metadata?.id : undefined);
    });
  }
}

/** As the API reports it; zeros where nothing is known. */
function reportOf(usage: Usage | undefined): Fields {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {};
  const { cachedTokens: cached = 0, writtenTokens: written = 0, writtenHourTokens: hour = 0 } = usage ?? {};
  const counts = {
    input_tokens: promptTokens - cached - written,
    cache_creation_input_tokens: written,
    ...(hour > 0 && {
      cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
    }),
    cache_read_input_tokens: cached,
    output_tokens: completionTokens,
  };
  return withBesideFields(counts, usage ?? {});
}

/** Each result with the blocks up to the next one: one line each, as Claude Code writes them. */
function resultRuns(blocks: readonly ContentBlock[]): ContentBlock[][] {
  const runs: ContentBlock[][] = [];
  for (const block of blocks) {
    const open = runs.at(-1);
    if (open && block.type !== 'tool_response') open.push(block);
    else runs.push([block]);
  }
  return runs;
}
