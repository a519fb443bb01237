import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { createParser } from 'eventsource-parser';
import { Decompress } from 'fzstd';
import { isRecord } from '../content/foreign-value.ts';
import type { LiveApi, ProviderAnswer } from '../live/contract.ts';
import type { ChangedRequest } from '../live/exchange/contract.ts';
import { tellAnswer } from '../live/exchange/send-changed.ts';
import type { ProxiedCall, ProxyRequestOptions, ReportedUsage } from './contract.ts';
import { mostGrownBytes } from './intake/request-body.ts';

/** A copy of an answer is given up when so much of it waits: it may never hold the agent. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** The longest answer that is no stream, and the longest line of a stream, that is still parsed. */
const LONGEST_JSON_BYTES = 16 * 1024 * 1024;

/** A copy of an answer while it goes through. */
export interface AnswerCopy {
  write(chunk: Uint8Array): void;
  end(): Promise<AnswerFacts>;
}

/** What an answer says; what it does not say, or cannot be read, is absent. */
export interface AnswerFacts {
  readonly usage?: ReportedUsage;
  readonly model?: string;
  readonly error?: string;
  /** True if the provider dropped thinking that is bound to what stood before it. */
  readonly isBound?: boolean;
}

/** What an answer with this status tells the pruner. */
const told = (status: number, { usage, error, isBound }: AnswerFacts): ProviderAnswer => ({
  status,
  ...(error !== undefined && { error }),
  ...(isBound && { isBound }),
  ...(usage && error === undefined && { answerTokens: usage.outputTokens, cachedTokens: usage.cachedTokens }),
});

/** A request whose answer has ended, with what was sent for it. */
interface EndedCall extends Pick<ProxiedCall, 'api' | 'isCount' | 'model' | 'status'> {
  readonly sent: { readonly changed: Omit<ChangedRequest, 'body'> | undefined; readonly isResent: boolean };
  readonly startedAt: number;
  /** When it was sent first. */
  readonly sentAt: number | undefined;
}

/** Tells the pruner and the log what an answer said. */
export function noteAnswer({ onCall, onTrouble }: ProxyRequestOptions, facts: AnswerFacts, ended: EndedCall): void {
  const { api, isCount, status, startedAt, sentAt = startedAt } = ended;
  const { changed, isResent } = ended.sent;
  if (changed && !isResent) tellAnswer(changed, told(status, facts), onTrouble);
  const { usage, model = ended.model } = facts;
  const waited = { addedMs: sentAt - startedAt, tookMs: performance.now() - startedAt };
  onCall?.({ api, isCount, model, status, isResent, usage, report: changed?.report, ...waited });
}

const numberOf = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0;
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

type ReadUsage = (event: Record<string, unknown>) => Partial<ReportedUsage> | undefined;

/** Usage as the APIs of OpenAI write it, by the names of its counts. */
function openaiUsage(prompt: string, output: string): ReadUsage {
  return (event) => {
    const usage = recordOf(recordOf(event['response'] ?? event)['usage']);
    if (usage[prompt] === undefined) return undefined;
    const details = recordOf(usage[`${prompt}_details`]);
    return {
      promptTokens: numberOf(usage[prompt]),
      cachedTokens: numberOf(details['cached_tokens']),
      writtenTokens: numberOf(details['cache_write_tokens']),
      outputTokens: numberOf(usage[output]),
    };
  };
}

/** Usage as each API writes it; later events of a stream add to or replace earlier ones. */
const READERS: Readonly<Record<LiveApi, ReadUsage>> = {
  'anthropic-messages': (event) => {
    const message = recordOf(event['message']);
    const usage = recordOf(message['usage'] ?? event['usage']);
    const output = numberOf(usage['output_tokens']);
    if (usage['input_tokens'] === undefined || usage['input_tokens'] === null) {
      return usage['output_tokens'] === undefined ? undefined : { outputTokens: output };
    }
    const cachedTokens = numberOf(usage['cache_read_input_tokens']);
    const written = numberOf(usage['cache_creation_input_tokens']);
    const writtenHourTokens = numberOf(recordOf(usage['cache_creation'])['ephemeral_1h_input_tokens']);
    return {
      promptTokens: numberOf(usage['input_tokens']) + cachedTokens + written,
      cachedTokens,
      writtenTokens: written - writtenHourTokens,
      writtenHourTokens,
      outputTokens: output,
    };
  },
  'openai-responses': openaiUsage('input_tokens', 'output_tokens'),
  'openai-chat': openaiUsage('prompt_tokens', 'completion_tokens'),
  'gemini-api': (event) => {
    // Code Assist has the answer in `response`.
    const usage = recordOf(recordOf(event['response'] ?? event)['usageMetadata']);
    if (usage['promptTokenCount'] === undefined) return undefined;
    return {
      promptTokens: numberOf(usage['promptTokenCount']),
      cachedTokens: numberOf(usage['cachedContentTokenCount']),
      outputTokens: numberOf(usage['candidatesTokenCount']) + numberOf(usage['thoughtsTokenCount']),
    };
  },
};

const NOTHING: ReportedUsage = {
  promptTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  writtenHourTokens: 0,
  outputTokens: 0,
};

/** The model that answers, in the places where the four APIs name it. */
function modelOf(event: Record<string, unknown>): string | undefined {
  const { message, response } = event;
  const inner = recordOf(response);
  const places = [
    ...[event['model'], event['modelVersion'], recordOf(message)['model']],
    ...[inner['model'], inner['modelVersion']],
  ];
  return places.find((name): name is string => typeof name === 'string' && name !== '');
}

/**
 * True if thinking was dropped because the prompt before it changed, and not because another model wrote it.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
function bindsThinking(event: Record<string, unknown>): boolean {
  const { input_transformations: changes } = { ...event, ...recordOf(event['message']) };
  if (!Array.isArray(changes)) return false;
  return changes
    .map(recordOf)
    .some(({ type, reason }) => type === 'thinking_dropped' && reason !== 'model_binding_mismatch');
}

/** Most events of a stream are parts of a text: those are not parsed. */
const isTelling = (event: string, { model }: AnswerFacts): boolean =>
  model === undefined || event.includes('sage') || event.includes('"error"');

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** True if an empty line is at the end of a part of a stream: the event before it is whole. */
function endsEvent(part: Uint8Array): boolean {
  if (part.at(-1) !== LINE_FEED) return false;
  const before = part.at(-2);
  return before === LINE_FEED || (before === CARRIAGE_RETURN && part.at(-3) === LINE_FEED);
}

/** True for whole events of which `isTelling` is false for each: they are not even decoded. */
function areSilent(part: Uint8Array, { model }: AnswerFacts): boolean {
  if (model === undefined || !endsEvent(part)) return false;
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
  return !bytes.includes('sage') && !bytes.includes('"error"');
}

/** Reads the usage out of a copy of an answer, compressed as it may be. */
export function answerCopy(api: LiveApi, { type, encoding }: { type: string; encoding: string }): AnswerCopy {
  let facts: AnswerFacts = {};
  const read = (text: string): void => {
    try {
      const event = recordOf(JSON.parse(text));
      const found = READERS[api](event);
      const model = modelOf(event);
      if (found) facts = { ...facts, usage: { ...NOTHING, ...facts.usage, ...found } };
      if (model !== undefined) facts = { ...facts, model };
      const { message: error } = recordOf(event['error']);
      if (typeof error === 'string') facts = { ...facts, error };
      if (bindsThinking(event)) facts = { ...facts, isBound: true };
    } catch {
      // `[DONE]`, or text that is not an answer: its usage stays unknown.
    }
  };
  const decoder = new TextDecoder();
  const isStream = type.includes('event-stream');
  const parser = createParser({ onEvent: ({ data }) => isTelling(data, facts) && read(data) });
  let text = '';
  let isBetweenEvents = true;
  let lineBytes = 0;
  const take: Take = (bytes) => {
    if (isStream && isBetweenEvents && areSilent(bytes, facts)) return true;
    const lineEnd = bytes.lastIndexOf(LINE_FEED);
    lineBytes = lineEnd === -1 ? lineBytes + bytes.length : bytes.length - lineEnd;
    if (isStream && lineBytes > LONGEST_JSON_BYTES) return true;
    const part = decoder.decode(bytes, { stream: true });
    if (isStream) parser.feed(part);
    else text += part;
    isBetweenEvents = endsEvent(bytes);
    if (text.length <= LONGEST_JSON_BYTES) return true;
    text = '';
    return false;
  };
  const finish = (): AnswerFacts => {
    if (!isStream) read(text);
    return facts;
  };
  return decoded(encoding, take, finish);
}

/** Reads decoded bytes; false if no more are read. */
type Take = (bytes: Uint8Array) => boolean;
type Finish = () => AnswerFacts;

function decoded(encoding: string, take: Take, finish: Finish): AnswerCopy {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return throughNothing(take, finish);
    case 'gzip':
    case 'x-gzip':
      return bounded(take, (bounds) => throughStream(createGunzip(), bounds, finish));
    case 'deflate':
      return bounded(take, (bounds) => throughStream(createInflate(), bounds, finish));
    case 'br':
      return bounded(take, (bounds) => throughStream(createBrotliDecompress(), bounds, finish));
    case 'zstd':
      return bounded(take, (bounds) => throughZstd(bounds, finish));
    default:
      return { write: () => {}, end: async () => ({}) };
  }
}

/** A copy whose decoder ends where an answer grows more than one does, so that it decodes no bomb. */
function bounded(take: Take, copyOf: (take: Take) => AnswerCopy): AnswerCopy {
  let [receivedBytes, decodedBytes] = [0, 0];
  const copy = copyOf((bytes) => {
    decodedBytes += bytes.length;
    return decodedBytes <= mostGrownBytes(receivedBytes) && take(bytes);
  });
  const write = (chunk: Uint8Array): void => {
    receivedBytes += chunk.length;
    copy.write(chunk);
  };
  return { write, end: copy.end };
}

function throughNothing(take: Take, finish: Finish): AnswerCopy {
  let goesOn = true;
  const write = (chunk: Uint8Array): void => {
    goesOn = goesOn && take(chunk);
  };
  return { write, end: async () => finish() };
}

function throughStream(stream: ReturnType<typeof createGunzip>, take: Take, finish: Finish): AnswerCopy {
  const ended = new Promise<void>((resolve) =>
    stream
      .on('end', resolve)
      .on('error', () => resolve())
      .on('close', resolve),
  );
  stream.on('data', (bytes: Uint8Array) => {
    if (!take(bytes)) stream.destroy();
  });
  return {
    write: (chunk) => {
      if (stream.destroyed) return;
      if (stream.writableLength > MAX_WAITING_BYTES) stream.destroy();
      else stream.write(chunk);
    },
    end: async () => {
      if (!stream.destroyed) stream.end();
      await ended;
      return finish();
    },
  };
}

/** This decoder works at once: a part of a bomb is not left to it as a whole. */
const ZSTD_SLICE_BYTES = 4 * 1024;

function throughZstd(take: Take, finish: Finish): AnswerCopy {
  const stream = new Decompress((bytes) => {
    if (!take(bytes)) throw new RangeError('Too long.');
  });
  let isOver = false;
  const write = (chunk: Uint8Array): void => {
    try {
      for (let at = 0; at < chunk.length && !isOver; at += ZSTD_SLICE_BYTES)
        stream.push(chunk.subarray(at, at + ZSTD_SLICE_BYTES));
    } catch {
      // Broken, or too long: its usage stays as far as it was read.
      isOver = true;
    }
  };
  return { write, end: async () => finish() };
}
