import { append } from '../../content/append.ts';
import type { ContentBlock, IContent, Speaker, ToolCallBlock } from '../../content/content.ts';
import { asText, isRecord, type Fields as Step } from '../../content/foreign-value.ts';
import { groupBy } from '../../content/group-by.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { terminus as vocabulary } from '../../content/vocabularies/terminus.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { Line, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import { chatUsage } from '../openai-chat/message.ts';

const NAME = 'atif';
const TITLE = 'an ATIF trajectory';

interface ObservedResult {
  readonly callId: string | undefined;
  readonly text: string;
  readonly media: readonly ContentBlock[];
}

const listOf = (value: unknown): Step[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The text of a message: a string, or the text parts of a list. */
function textOf(message: unknown): string {
  return typeof message === 'string'
    ? message
    : listOf(message)
        .flatMap(({ text }) => asText(text) || [])
        .join('\n');
}

/** The images of a message that is a list of parts. Source: the ATIF specification, 1.6. */
function mediaOf(message: unknown): ContentBlock[] {
  return listOf(message).flatMap(({ source }): ContentBlock[] => {
    const path = isRecord(source) ? asText(source['path']) : '';
    if (path === '' || !isRecord(source)) return [];
    return [{ ...mediaOfUrl(path), mimeType: asText(source['media_type']) || 'image/*' }];
  });
}

const blocksOf = (message: unknown): ContentBlock[] => {
  const text = textOf(message);
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...mediaOf(message)];
};

function callsOf(step: Step): ToolCallBlock[] {
  return listOf(step['tool_calls']).map((call, index) => ({
    type: 'tool_call',
    id: asText(call['tool_call_id']) || `call-${String(step['step_id'])}-${index}`,
    name: asText(call['function_name']) || 'unknown',
    parameters: call['arguments'] ?? {},
  }));
}

function resultsOf(step: Step): ObservedResult[] {
  const observation = step['observation'];
  return listOf(isRecord(observation) ? observation['results'] : undefined).map((result) => ({
    callId: typeof result['source_call_id'] === 'string' ? result['source_call_id'] : undefined,
    text: textOf(result['content']),
    media: mediaOf(result['content']),
  }));
}

/** True if a step only states that other files contain a summary: earlier steps are not sent any more. */
function isHandoff(step: Step): boolean {
  const observation = step['observation'];
  const results = listOf(isRecord(observation) ? observation['results'] : undefined);
  return step['source'] === 'system' && results.some((result) => Array.isArray(result['subagent_trajectory_ref']));
}

class Trajectory {
  readonly events: SessionEvent[] = [];
  readonly skipped: SkippedLine[] = [];
  readonly #entries: IContent[] = [];
  systemText = '';
  model: string | undefined;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  step(step: Step, index: number): void {
    const { source } = step;
    if (isHandoff(step)) this.#handOff();
    else if (source === 'agent') this.#answer(step, index);
    else if (source === 'user') this.#add('human', blocksOf(step['message']), step, `step-${index}`);
    else if (source === 'system' && this.#entries.length === 0) this.systemText += textOf(step['message']);
  }

  /** Keeps only the task; the summary and later entries are the next steps. */
  #handOff(): void {
    const task = this.#entries.find(({ speaker }) => speaker === 'human');
    this.events.push({ kind: 'replace', contents: task ? [task] : [], by: { kind: 'compaction' } });
  }

  #add(speaker: Speaker, blocks: readonly ContentBlock[], step: Step, id: string): void {
    if (blocks.length === 0) return;
    const answerFacts = speaker === 'ai' ? { model: this.model, usage: chatUsage(step['metrics']) } : {};
    const content: IContent = {
      speaker,
      blocks,
      metadata: recordedMetadata({ id: `${this.#prefix}${id}`, timestamp: asText(step['timestamp']), ...answerFacts }),
    };
    this.#entries.push(content);
    this.events.push({ kind: 'add', content });
  }

  #answer(step: Step, index: number): void {
    if (typeof step['model_name'] === 'string') this.model = step['model_name'];
    const thought = asText(step['reasoning_content']);
    const calls = callsOf(step);
    const thinking: ContentBlock[] =
      thought === '' ? [] : [{ type: 'thinking', thought, sourceField: 'reasoning_content' }];
    this.#add('ai', [...thinking, ...blocksOf(step['message']), ...calls], step, `step-${index}`);
    for (const [order, { speaker, blocks }] of observed(calls, resultsOf(step)).entries())
      this.#add(speaker, blocks, step, `step-${index}.${order + 1}`);
  }
}

/**
 * The results of a step, paired by id; those of several calls with one id in their order. The first result without an id
 * answers the last call, because a terminal shows the output of all calls; the calls before it have no result. In a step
 * without calls, observations are messages. Linear.
 */
function observed(calls: readonly ToolCallBlock[], results: readonly ObservedResult[]): Omit<IContent, 'metadata'>[] {
  const lastOf = new Map(calls.map(({ id }, index) => [id, index]));
  const isNamed = ({ callId }: ObservedResult): boolean => callId !== undefined && lastOf.has(callId);
  const named = groupBy(results.filter(isNamed), ({ callId }) => callId);
  const unnamed = results.filter((result) => !isNamed(result));
  const hasShared = unnamed.length > 0;
  const answers = calls.flatMap((call, index): Omit<IContent, 'metadata'>[] => {
    const open = named.get(call.id) ?? [];
    const own = open.splice(0, lastOf.get(call.id) === index ? open.length : 1);
    if (own.length === 0 && index === calls.length - 1) append(own, unnamed.splice(0, 1));
    const shown: readonly Pick<ObservedResult, 'text' | 'media'>[] =
      own.length === 0 && hasShared ? [{ text: '', media: [] }] : own;
    return shown.map(({ text, media }) => ({
      speaker: 'tool',
      blocks: [responseBlock(call.id, call.name, { result: text }), ...media],
    }));
  });
  const texts = unnamed.flatMap(({ text, media }): Omit<IContent, 'metadata'>[] => {
    const blocks = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media];
    return blocks.length === 0 ? [] : [{ speaker: 'human', blocks }];
  });
  return [...answers, ...texts];
}

const isStep = (step: unknown): boolean => isRecord(step) && 'source' in step;

const stepsOf = (document: unknown): readonly unknown[] =>
  isRecord(document) && Array.isArray(document['steps']) ? document['steps'] : [];

/** The entries of one trajectory; their ids start with `prefix`. */
function played(document: Step, prefix: string): Trajectory {
  const trajectory = new Trajectory(prefix);
  const model = isRecord(document['agent']) ? document['agent']['model_name'] : undefined;
  if (typeof model === 'string') trajectory.model = model;
  for (const [index, step] of stepsOf(document).entries()) {
    if (isRecord(step)) trajectory.step(step, index);
    else trajectory.skipped.push({ line: 1, reason: `expected an object in step ${index}` });
  }
  return trajectory;
}

function read(lines: Iterable<Line>): Session {
  const { bytes, value } = readDocument(lines, TITLE);
  const documents = (Array.isArray(value) ? value : [value]).filter(isRecord);
  const last = documents.at(-1);
  if (!last || !documents.some((document) => stepsOf(document).some(isStep)))
    throw noMessages(TITLE, bytes, ' without any step');
  const all = documents.map((document, index) => played(document, documents.length > 1 ? `${index}.` : ''));
  const { systemText: notes, model } = all.at(-1) as Trajectory;
  const tools = isRecord(last['agent']) ? last['agent']['tool_definitions'] : undefined;
  return {
    format: NAME,
    ...(typeof last['session_id'] === 'string' && { id: last['session_id'] }),
    ...(model !== undefined && { model }),
    ...systemFacts(notes === '' ? [] : [notes], tools),
    events: all.flatMap(({ events }, index): SessionEvent[] =>
      index === 0 ? events : [{ kind: 'replace', contents: [] }, ...events],
    ),
    skipped: all.flatMap(({ skipped }) => skipped),
  };
}

/** True for one trajectory, or for the first of a list. Some writers give the version without the name of the format. */
function isTrajectory(document: unknown): boolean {
  const first: unknown = Array.isArray(document) ? document[0] : document;
  if (!isRecord(first)) return false;
  const version = asText(first['schema_version']);
  return version.startsWith('ATIF') || (/^\d+\.\d+$/.test(version) && isStep(stepsOf(first)[0]));
}

/**
 * Trajectories in the Agent Trajectory Interchange Format of Harbor and Terminal-Bench, read-only. One entry is one answer,
 * one message or one result; system steps after the first are notes of the harness. In a list of trajectories, each is a
 * new conversation, of which the last is live.
 * Source: https://www.harborframework.com/docs/agents/trajectory-format, versions 1.0 to 1.6.
 */
export const atif: SessionFormat = {
  name: NAME,
  title: 'ATIF trajectory',
  vocabulary,
  detect: (head) => isTrajectory(headDocument(head)),
  read,
};
