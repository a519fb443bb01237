import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contentText } from '../../../src/formats/blocks/text-list.ts';
import type { PruneReport } from '../../../src/live/contract.ts';
import { FrozenDecisions } from '../../../src/live/conversation/frozen.ts';
import { splicedTexts } from '../proxy-faults/spliced.ts';
import { omittedThinking } from './omitted-thinking.ts';

/** A request as the agent wrote it, decoded, and what was sent instead. */
export interface AgentRequest {
  readonly original: Buffer;
  readonly sent: Buffer;
  readonly report?: PruneReport | undefined;
  /** The texts of the frozen decisions on disk when it was sent: a later request may replace them. */
  readonly frozen: ReadonlySet<string>;
}

/** Everything is a result's text here: what may be replaced is decided by the frozen decisions. */
const ANY_TEXT = { has: () => true } as unknown as ReadonlySet<string>;

/**
 * What is wrong with requests that were sent: each must have arrived byte for byte, and be the agent's own request in which
 * as many texts as the report says are replaced by texts of the decisions that were on disk by then, or are thinking that is
 * left out.
 */
export function wrongRequests(requests: readonly AgentRequest[], received: readonly Buffer[]): string[] {
  return requests.flatMap(({ original, sent, report, frozen }, at) => {
    if (!received.some((body) => body.equals(sent))) return [`request ${at + 1}: its bytes did not arrive`];
    const omitted = omittedThinking(original, sent);
    const texts =
      splicedTexts(omitted.rest, sent, ANY_TEXT) ?? splicedTexts(joined(omitted.rest), joined(sent), ANY_TEXT);
    if (texts === undefined) return [`request ${at + 1}: more than texts differs`];
    const differ = texts.length + omitted.count;
    const isShadow = differ === 0;
    if (!isShadow && differ !== report?.projected)
      return [`request ${at + 1}: ${differ} texts differ, ${report?.projected} were decided`];
    const known = new Set([...frozen].flatMap((text) => [text, withoutBlanks(text)]));
    return texts.some(({ is }) => !known.has(is)) ? [`request ${at + 1}: a text that is not frozen`] : [];
  });
}

/** A request with the texts of each list joined: of what is left of a list, each text has its share, and a blank one is removed. */
const joined = (body: Buffer): Buffer =>
  Buffer.from(
    JSON.stringify(JSON.parse(body.toString()), (_, value: unknown) => {
      const text = Array.isArray(value) ? contentText(value) : undefined;
      if (text === undefined) return value;
      const others = (value as unknown[]).filter((part) => contentText([part]) === undefined);
      return [withoutBlanks(text), ...others];
    }),
  );

const withoutBlanks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');

/** The texts of the frozen decisions in this folder. */
export const frozenTexts = (conversations: string): ReadonlySet<string> =>
  new Set(
    filesOf(conversations).flatMap((file) =>
      [...FrozenDecisions.of(readFileSync(file, 'utf8').split('\n')).results.values()].map(({ text }) => text),
    ),
  );

const filesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
};
