import { priceOf } from '../../economics/prices.ts';
import { type CacheLifetime, chooseLifetime } from '../../economics/warm/choose-lifetime.ts';
import { RECORDED_PAUSES } from '../../economics/warm/pause-lengths.ts';
import type { JsonChange, JsonPath } from '../../formats/json/json-change.ts';
import type { LiveApi } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import { hashOf } from '../conversation/hash-of.ts';
import type { ChangedForm } from '../conversation/unaccepted.ts';
import type { Replacement, RequestList } from '../request/request-list.ts';
import { lifetimeOf } from '../turn/sent-requests.ts';
import { LIFETIME_STEP } from './asked-lifetime.ts';
import { endOfHistory, lifetimeOfMark, markWith, missingMark, type PromptMark, promptMarks } from './prompt-marks.ts';
import { inOrder, isSameSet, toolOrder } from './tool-order.ts';

/** Names in the list of frozen forms: what is done for the prompt cache of a conversation, beside its texts. */
const STEPS = { mark: 'cache mark', key: 'cache key', tools: 'cache tools', lifetime: LIFETIME_STEP } as const;

const KEY = 'prompt_cache_key';

/** What may be done. */
export interface CacheOptions {
  readonly api: LiveApi;
  /** Whether marks and keys that are missing are added, and tools sent in their first order. */
  readonly hasMarks: boolean;
  /** That of the agent's marks, the one that is expected to cost less, or an hour. */
  readonly lifetime: 'agent' | 'auto' | '1h';
}

interface GivenRequest {
  readonly list: RequestList;
  /** The name of its conversation. */
  readonly key: string;
  readonly model: string;
  /** Milliseconds since this prefix was sent last; `undefined` if that is not known. */
  readonly idleMs: number | undefined;
}

const KEYED: ReadonlySet<LiveApi> = new Set(['openai-responses', 'openai-chat']);

/** Decides what is done for the prompt cache from this request on; the steps that are new. */
export function decideSteps(branch: Branch, given: GivenRequest, options: CacheOptions): readonly ChangedForm[] {
  const { decisions } = branch;
  const found = [
    ...(options.hasMarks ? missingSteps(branch, given, options) : []),
    ...(options.api === 'anthropic-messages' ? lifetimeStep(branch, given, options) : []),
  ];
  return found.flatMap(([id, text]) => {
    if (decisions.refused.has(id)) return [];
    const before = decisions.results.get(id);
    decisions.freeze({ id, kind: 'cache', text, reason: '', files: [] });
    return { result: { id }, before };
  });
}

/** What a step needs, by its name. */
type Step = readonly [id: string, text: string];

/** True for the first request of a conversation. */
const isFirst = ({ decisions, history, model }: Branch): boolean =>
  model === undefined && decisions.calls.calls.length === 0 && history.answers.length === 0;

function missingSteps(branch: Branch, { list, key }: GivenRequest, { api }: CacheOptions): readonly Step[] {
  const { decisions, history } = branch;
  const found: Step[] = [];
  const order = toolOrder(list.wholeField('tools'));
  const first = decisions.results.get(STEPS.tools)?.text.split(' ');
  if (order && !(first && isSameSet(first, order))) found.push([STEPS.tools, order.join(' ')]);
  if (KEYED.has(api) && isFirst(branch) && list.field(KEY) === undefined)
    found.push([STEPS.key, hashOf(`cache ${key}`)]);
  if (api === 'anthropic-messages' && decisions.isOpen(STEPS.mark)) {
    const marks = promptMarks(list);
    // The first call of a program that marks nothing may be its only one: nobody would read what it writes.
    const isRead = marks.length > 0 || history.answers.length > 0;
    if (isRead && missingMark(marks)) found.push([STEPS.mark, '']);
  }
  return found;
}

/** Changes the lifetime only where nothing of the conversation is in the cache: what is there cannot be moved. */
function lifetimeStep(
  branch: Branch,
  { list, model, idleMs }: GivenRequest,
  { lifetime }: CacheOptions,
): readonly Step[] {
  const { decisions } = branch;
  const now = decisions.results.get(STEPS.lifetime)?.text ?? '5m';
  if (lifetime === 'agent' && now === '5m') return [];
  const isCold = idleMs !== undefined && idleMs >= lifetimeOf(branch, model);
  if (!isCold && !isFirst(branch)) return [];
  const marks = promptMarks(list);
  // An agent that asks for an hour has chosen.
  if (marks.length === 0 || marks.some((mark) => lifetimeOfMark(mark) === '1h')) return [];
  const next = chosenLifetime(branch, { model, idleMs, lifetime });
  return next === now ? [] : [[STEPS.lifetime, next]];
}

function chosenLifetime(
  { decisions, history, constantTokens = 0 }: Branch,
  { model, idleMs, lifetime }: Pick<GivenRequest, 'model' | 'idleMs'> & Pick<CacheOptions, 'lifetime'>,
): CacheLifetime {
  if (lifetime !== 'auto') return lifetime === '1h' ? '1h' : '5m';
  const { calls } = decisions.calls;
  const unpruned = constantTokens + history.tokens.reduce((sum, tokens) => sum + tokens, 0);
  // What is new since the last call is little.
  const promptTokens = calls.at(-1)?.promptTokens ?? unpruned;
  const pauses = [...calls.map((call) => call.idleMs), idleMs];
  return chooseLifetime({ promptTokens, constantTokens, idleMs: pauses, price: priceOf(model) }, RECORDED_PAUSES);
}

/** What the frozen steps change of a body in which these texts are replaced. */
export function stepChanges(
  list: RequestList,
  forms: ReadonlyMap<string, FrozenResult>,
  replacements: readonly Replacement[],
): readonly JsonChange[] {
  const key = list.field(KEY) === undefined ? forms.get(STEPS.key)?.text : undefined;
  const order = forms.get(STEPS.tools)?.text.split(' ');
  const tools = order && inOrder(list.wholeField('tools'), order);
  const lifetime = forms.get(STEPS.lifetime)?.text;
  const marks = lifetime === '1h' || forms.has(STEPS.mark) ? promptMarks(list) : [];
  return [
    ...(lifetime === '1h' ? hourChanges(marks, replacements) : []),
    ...(key === undefined ? [] : [{ kind: 'set', path: [KEY], value: key } as const]),
    ...(tools === undefined ? [] : [{ kind: 'set', path: ['tools'], value: tools } as const]),
    ...(forms.has(STEPS.mark) ? endMark(list, { marks, lifetime, replacements }) : []),
  ];
}

/** All marks keep the prompt for an hour, so that none of an hour stands after one of minutes. */
const hourChanges = (marks: readonly PromptMark[], replacements: readonly Replacement[]): JsonChange[] =>
  marks
    .filter((mark) => lifetimeOfMark(mark) !== '1h')
    .map(({ path, mark }) => ({ kind: 'set', path: placeIn(path, replacements), value: { ...mark, ttl: '1h' } }));

interface GivenMarks {
  readonly marks: readonly PromptMark[];
  /** That of all marks, where it is not the agent's. */
  readonly lifetime: string | undefined;
  readonly replacements: readonly Replacement[];
}

function endMark(list: RequestList, { marks, lifetime, replacements }: GivenMarks): JsonChange[] {
  const missing = missingMark(marks);
  const end = missing && endOfHistory(list);
  if (!end) return [];
  const mark = markWith(lifetime === '1h' ? '1h' : missing);
  const { element, path, text: given } = end;
  if (given === undefined) return [{ kind: 'set', path: placeIn(path, replacements), value: mark }];
  const text = replacements.find((one) => one.element === element && one.path.length === 1)?.text ?? given;
  return [{ kind: 'set', path, value: [{ type: 'text', text, cache_control: mark }] }];
}

/** The place of a block of the body, where blocks before it may be left out. */
function placeIn(path: JsonPath, replacements: readonly Replacement[]): JsonPath {
  const [list, element, content, block, ...rest] = path;
  if (list !== 'messages') return path;
  const omitted = replacements.flatMap((one) => (one.element === element ? (one.omitted ?? []) : []));
  const before = omitted.filter((one) => Number(one.at(-1)) < Number(block)).length;
  return [list, element!, content!, Number(block) - before, ...rest];
}
