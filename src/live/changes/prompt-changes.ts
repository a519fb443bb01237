import type { Message } from '../../formats/messages/message-list.ts';
import type { LiveRequest, PromptChange } from '../contract.ts';
import { hashOf } from '../conversation/hash-of.ts';
import type { RequestList } from '../request/request-list.ts';
import { historyChange } from './history-change.ts';
import { betaChanges, CACHED_SETTINGS, settingChanges } from './setting-changes.ts';
import { systemChanges, textsOf } from './system-change.ts';
import { toolChanges } from './tool-changes.ts';

type Headers = LiveRequest['headers'];

/** What of a request is kept for the next one, beside its list. */
export interface AskedBy {
  readonly betas: string;
  /** A hash of the account that pays; undefined where the credential names none. */
  readonly account: string | undefined;
  /** A hash of the system prompt. */
  readonly system: string;
}

/** A request as the next one is compared with it. */
export interface ComparedRequest {
  readonly asked: AskedBy;
  readonly list: RequestList;
  /** Its elements; further ones may follow. */
  readonly elements: readonly { readonly hash: string }[];
  readonly length: number;
}

const SYSTEM_FIELDS = ['system', 'instructions', 'systemInstruction', 'system_instruction'];

/** What is kept of a request. Costs a hash of the system prompt, if its bytes are not those of the request before. */
export function askedBy(
  { headers, account }: { readonly headers: Headers; readonly account: string | undefined },
  list: RequestList,
  before: Pick<ComparedRequest, 'list' | 'asked'> | undefined,
): AskedBy {
  const betas = [headers?.['anthropic-beta'] ?? []].flat().join(',');
  const isSame = before && SYSTEM_FIELDS.every((name) => list.isSameField(name, before.list));
  const system = isSame ? before.asked.system : hashOf(JSON.stringify(systemTexts(list)));
  return { betas, account, system };
}

const systemTexts = (list: RequestList): readonly string[] =>
  SYSTEM_FIELDS.flatMap((name) => textsOf(list.wholeField(name)));

/**
 * What of a request differs from the one before it in the same conversation, in the order of the prompt. `shared`: the elements at the
 * start that both have. Costs a comparison of the bytes beside the list; only what differs is parsed.
 */
export function promptChanges(before: ComparedRequest, now: ComparedRequest, shared: number): readonly PromptChange[] {
  const isChanged = (name: string): boolean => !now.list.isSameField(name, before.list);
  const [old, own] = [before.list, now.list];
  const settings = CACHED_SETTINGS.filter(({ path: [name] }) => isChanged(name));
  const later = shared < before.length ? listChanges(before, now, shared) : [];
  return [
    ...(isChanged('tools') ? toolChanges(old.wholeField('tools'), own.wholeField('tools')) : []),
    ...(before.asked.system === now.asked.system ? [] : systemChanges(systemTexts(old), systemTexts(own))),
    ...later.filter(({ kind }) => kind !== 'history'),
    ...settings.flatMap((setting) => {
      const [name] = setting.path;
      return settingChanges(setting, old.wholeField(name), own.wholeField(name));
    }),
    ...betaChanges(before.asked.betas, now.asked.betas),
    ...later.filter(({ kind }) => kind === 'history'),
    ...accountChanges(before.asked, now.asked),
  ];
}

/** `undefined` says nothing: a token without claims may be the same account. */
export const accountChanges = (
  before: Pick<AskedBy, 'account'>,
  now: Pick<AskedBy, 'account'>,
): readonly PromptChange[] =>
  before.account === undefined || now.account === undefined || before.account === now.account
    ? []
    : [{ kind: 'account', what: 'the account changed' }];

/** The first message that is another one may be the system prompt, or the tools. */
function listChanges(before: ComparedRequest, now: ComparedRequest, shared: number): readonly PromptChange[] {
  const [was, is] = [before.list.element(shared), shared < now.list.length ? now.list.element(shared) : {}];
  if (isAtStart(now.list, shared) && isConstant(was) && isConstant(is))
    return isOfTools(was)
      ? toolChanges(was['tools'], is['tools'])
      : systemChanges(textsOf(was['content']), textsOf(is['content']));
  return [historyChange({ before: hashesOf(before), now: hashesOf(now), shared })];
}

const hashesOf = ({ elements, length }: ComparedRequest): readonly string[] =>
  elements.slice(0, length).map(({ hash }) => hash);

/** No agent has more messages before the first one of its user. */
const MOST_CONSTANT = 4;

const isAtStart = (list: RequestList, shared: number): boolean =>
  shared < MOST_CONSTANT && Array.from({ length: shared }, (_, at) => list.element(at)).every(isConstant);

/** Codex has its tools there for models in code mode. Source: Codex 0.171.0 with gpt-5.6-sol. */
const isOfTools = ({ type }: Message): boolean => type === 'additional_tools';
const isConstant = (message: Message): boolean =>
  isOfTools(message) || message['role'] === 'system' || message['role'] === 'developer';
