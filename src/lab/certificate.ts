import { agentTextAt } from '../content/agent-text/agent-text.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { fileAccess } from '../content/files/file-access.ts';
import { keyParameter } from '../content/files/key-parameter.ts';
import { findInclusions } from '../content/inclusions.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { blockHash } from '../disk/block-archive.ts';
import type { RemovingStep } from '../gate/report.ts';
import { brokenPairs } from '../replay/broken-pairs.ts';
import { type ChangedBlock, type ChangedEntry, reasonFor } from '../strategies/changed-entries.ts';
import {
  CERTIFICATE_ROWS,
  type CertificateRule,
  EDIT_RULES,
  type EditReason,
} from '../strategies/reasons/edit-reason.ts';
import { blockCounter, type CountBlock, entryCounter } from '../tokens/entries/block-counter.ts';

/** A block that a step removed or replaced. */
export interface CertifiedItem {
  readonly rule: CertificateRule;
  /** In words, with the file or command if it is known. */
  readonly reason: string;
  /** As data: the rule, and its calls, files and lines by their positions before the step. */
  readonly cause: EditReason;
  /** Number of its entry before the step, from 0, and its `metadata.id`. */
  readonly entry: number;
  readonly id?: string;
  readonly block: ContentBlock['type'];
  readonly tool?: string;
  readonly tokens: number;
  /** Tokens of its replacement; 0 if there is none. */
  readonly replacementTokens: number;
  /** SHA-256 of the block as JSON. */
  readonly hash: string;
}

/** The laws that a step kept. */
export interface CertifiedLaws {
  /** No call lost its result, and no result its call. */
  readonly pairsIntact: boolean;
  readonly notLarger: boolean;
  /** The history still contains every line of the user, except repeated inclusions. Text that an agent put into a user turn does not count as a line of the user. */
  readonly humanWordsKept: boolean;
  /** The same step again changes nothing; `null` if that was not tried. */
  readonly idempotent: boolean | null;
}

/** The effect of a step on a history, as data. Tokens are those of the entries only. */
export interface Certificate {
  readonly kind: RemovingStep['kind'];
  readonly entriesBefore: number;
  readonly entriesAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Number of the first changed entry; `null` if none changed. */
  readonly firstChangedEntry: number | null;
  /** Tokens after it, which are no longer in a provider's cache. */
  readonly rebilledTokens: number;
  readonly items: readonly CertifiedItem[];
  readonly laws: CertifiedLaws;
}

export interface CertificateOptions {
  readonly kind: RemovingStep['kind'];
  /** The changes of the step, with their reasons. */
  readonly changes: readonly ChangedEntry[];
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  /** Tokens are counted as this model does. */
  readonly model: string;
  /** The step, to be tried a second time. */
  readonly again?: (history: readonly IContent[]) => readonly IContent[];
}

/** The certificate of the step from `before` to `after`. Linear. */
export function certify(
  before: readonly IContent[],
  after: readonly IContent[],
  options: CertificateOptions,
): Certificate {
  const { kind, changes, model, again } = options;
  const countBlock = blockCounter(model);
  const countEntry = entryCounter(model, countBlock);
  const tokensOf = (entries: readonly IContent[]): number => entries.reduce((sum, entry) => sum + countEntry(entry), 0);
  const tokensBefore = tokensOf(before);
  const tokensAfter = tokensOf(after);
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared++;
  const isChanged = shared < before.length || after.length > shared;
  const once = again?.(after);
  return {
    kind,
    entriesBefore: before.length,
    entriesAfter: after.length,
    tokensBefore,
    tokensAfter,
    firstChangedEntry: isChanged ? shared : null,
    rebilledTokens: tokensOf(after.slice(shared)),
    items: changes.flatMap((change) =>
      change.blocks.map((changed) => certifiedItem(change, changed, { ...options, countBlock })),
    ),
    laws: {
      pairsIntact: brokenPairs(before, after) === 0,
      notLarger: tokensAfter <= tokensBefore,
      humanWordsKept: keepsHumanWords(before, after),
      idempotent:
        once === undefined ? null : once.length === after.length && once.every((entry, at) => entry === after[at]),
    },
  };
}

function certifiedItem(
  { index, before }: ChangedEntry,
  changed: ChangedBlock,
  { countBlock, vocabulary, workspaceRoot }: CertificateOptions & { readonly countBlock: CountBlock },
): CertifiedItem {
  const { block, replacement } = changed;
  const cause = reasonFor(changed);
  const rule = EDIT_RULES[cause.rule].certificate;
  const { what } = CERTIFICATE_ROWS[rule];
  const id = before.metadata?.id;
  const tool = block.type === 'tool_call' ? block.name : block.type === 'tool_response' ? block.toolName : undefined;
  const files = block.type === 'tool_call' ? fileAccess(block, vocabulary, workspaceRoot).reads : [];
  const about =
    files.length > 0 ? files.join(', ') : block.type === 'tool_call' ? keyParameter(block, vocabulary) : undefined;
  return {
    rule,
    reason: about === undefined ? what : `${what}: ${about}`,
    cause,
    entry: index,
    ...(id !== undefined && { id }),
    block: block.type,
    ...(tool !== undefined && { tool }),
    tokens: countBlock(block),
    replacementTokens: replacement === undefined ? 0 : countBlock(replacement),
    hash: blockHash(block),
  };
}

/** The lines of human text outside inclusions, and of no agent, with the number of times each occurs. */
function humanLines(history: readonly IContent[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, entry] of history.entries()) {
    if (entry.speaker !== 'human') continue;
    const inclusions = findInclusions(entry);
    for (const [at, block] of entry.blocks.entries()) {
      if (block.type !== 'text' || agentTextAt(history, index, at) !== undefined) continue;
      let offset = 0;
      for (const line of block.text.split('\n')) {
        const start = offset;
        offset += line.length + 1;
        const isIncluded = inclusions.some((inclusion) => {
          const isBehindStart =
            at > inclusion.start.block || (at === inclusion.start.block && start >= inclusion.start.offset);
          const isBeforeEnd = at < inclusion.end.block || (at === inclusion.end.block && start < inclusion.end.offset);
          return isBehindStart && isBeforeEnd;
        });
        const words = line.trim();
        if (words !== '' && !isIncluded && !/^--- .* ---$/.test(words)) lines.set(words, (lines.get(words) ?? 0) + 1);
      }
    }
  }
  return lines;
}

function keepsHumanWords(before: readonly IContent[], after: readonly IContent[]): boolean {
  const kept = humanLines(after);
  return [...humanLines(before)].every(([line, count]) => (kept.get(line) ?? 0) >= count);
}
