import type { JsonChange, JsonPath } from '../../formats/json/json-change.ts';
import type { LiveApi } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import { hashOf } from '../conversation/hash-of.ts';
import type { ChangedForm } from '../conversation/unaccepted.ts';
import type { Replacement, RequestList } from '../request/request-list.ts';
import { endOfHistory, markWith, missingMark, promptMarks } from './prompt-marks.ts';
import { inOrder, isSameSet, toolOrder } from './tool-order.ts';

/** Names in the list of frozen forms: what is done for the prompt cache of a conversation, beside its texts. */
const STEPS = { mark: 'cache mark', key: 'cache key', tools: 'cache tools' } as const;

const KEY = 'prompt_cache_key';

/** What may be done. */
export interface CacheOptions {
  readonly api: LiveApi;
  /** Whether marks and keys that are missing are added, and tools sent in their first order. */
  readonly hasMarks: boolean;
}

interface GivenRequest {
  readonly list: RequestList;
  /** The name of its conversation. */
  readonly key: string;
}

const KEYED: ReadonlySet<LiveApi> = new Set(['openai-responses', 'openai-chat']);

/** Decides what is done for the prompt cache from this request on; the steps that are new. */
export function decideSteps(
  { decisions, history, model }: Branch,
  { list, key }: GivenRequest,
  { api, hasMarks }: CacheOptions,
): readonly ChangedForm[] {
  if (!hasMarks) return [];
  const { results: frozen, calls } = decisions;
  const isFirst = model === undefined && calls.calls.length === 0 && history.answers.length === 0;
  const found: (readonly [id: string, text: string])[] = [];
  const order = toolOrder(list.wholeField('tools'));
  const first = frozen.get(STEPS.tools)?.text.split(' ');
  if (order && !(first && isSameSet(first, order))) found.push([STEPS.tools, order.join(' ')]);
  if (KEYED.has(api) && isFirst && list.field(KEY) === undefined) found.push([STEPS.key, hashOf(`cache ${key}`)]);
  if (api === 'anthropic-messages' && decisions.isOpen(STEPS.mark)) {
    const marks = promptMarks(list);
    // The first call of a program that marks nothing may be its only one: nobody would read what it writes.
    const isRead = marks.length > 0 || history.answers.length > 0;
    if (isRead && missingMark(marks)) found.push([STEPS.mark, '']);
  }
  return found.flatMap(([id, text]) => {
    if (decisions.refused.has(id)) return [];
    const before = frozen.get(id);
    decisions.freeze({ id, kind: 'cache', text, reason: '', files: [] });
    return { result: { id }, before };
  });
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
  return [
    ...(key === undefined ? [] : [{ kind: 'set', path: [KEY], value: key } as const]),
    ...(tools === undefined ? [] : [{ kind: 'set', path: ['tools'], value: tools } as const]),
    ...(forms.has(STEPS.mark) ? markChanges(list, replacements) : []),
  ];
}

function markChanges(list: RequestList, replacements: readonly Replacement[]): JsonChange[] {
  const lifetime = missingMark(promptMarks(list));
  const end = lifetime && endOfHistory(list);
  if (!end) return [];
  const mark = markWith(lifetime);
  const { element, path, text: given } = end;
  if (given === undefined) return [{ kind: 'set', path: placeIn(path, element, replacements), value: mark }];
  const text = replacements.find((one) => one.element === element && one.path.length === 1)?.text ?? given;
  return [{ kind: 'set', path, value: [{ type: 'text', text, cache_control: mark }] }];
}

/** The place of a block of an element in which blocks before it may be left out. */
function placeIn(path: JsonPath, element: number, replacements: readonly Replacement[]): JsonPath {
  const [list, at, content, block, ...rest] = path;
  const omitted = replacements.flatMap((one) => (one.element === element ? (one.omitted ?? []) : []));
  const before = omitted.filter((one) => Number(one.at(-1)) < Number(block)).length;
  return [list!, at!, content!, Number(block) - before, ...rest];
}
