import fc from 'fast-check';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../src/content/pruned-result.ts';
import { claudeCode } from '../../../src/content/vocabularies/claude-code.ts';
import { llxprt } from '../../../src/content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import type { DensityConfig } from '../../../src/strategies/contract.ts';
import type { DensityRules } from '../../../src/strategies/settings/rule-settings.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../../generated-history.ts';
import { generatedRules } from './generated-rules.ts';

/** Absolute directory of the files of `workHistory`. */
const WORKSPACE = GENERATED_WORKSPACE;
const FILES = ['a.ts', 'src/b.ts', 'README.md'].map((file) => `${WORKSPACE}/${file}`);

/** Work on files: one call, and the delay of its result. */
interface Step {
  readonly kind:
    | 'read'
    | 'read part'
    | 'read many'
    | 'edit'
    | 'write'
    | 'cat'
    | 'sed'
    | 'test'
    | 'search'
    | 'talk'
    | 'ask';
  readonly files: readonly string[];
  readonly from: number;
  readonly lines: number;
  readonly changes: number;
  readonly outcome: 'done' | 'failed' | 'missing' | 'twice' | 'pruned';
  /** Number of steps until its result. */
  readonly late: number;
  /** Whether it is in the same entry as the call before. */
  readonly joins: boolean;
  readonly hasImage: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>(
    'read',
    'read',
    'read',
    'read part',
    'read part',
    'read many',
    'edit',
    'edit',
    'write',
    'cat',
    'sed',
    'test',
    'search',
    'search',
    'search',
    'talk',
    'talk',
    'ask',
  ),
  files: fc.oneof(fc.constant(FILES.slice(0, 1)), fc.subarray(FILES, { minLength: 1 })),
  from: fc.constantFrom(0, 0, 0, 2, 5),
  lines: fc.integer({ min: 1, max: 16 }),
  changes: fc.constantFrom(0, 0, 0, 1, 2),
  outcome: fc.constantFrom<Step['outcome'][]>(
    'done',
    'done',
    'done',
    'done',
    'done',
    'failed',
    'missing',
    'twice',
    'pruned',
  ),
  late: fc.constantFrom(0, 0, 0, 0, 1, 2),
  joins: fc.constantFrom(false, false, false, true),
  hasImage: fc.nat(9).map((roll) => roll === 0),
});

/** Four of them are long enough to be named. */
const MORE = 'and what else it takes to be as long as lines of files are';
const lineOf = (at: number, change: number): string => `line ${at} of the file, changed ${change} times, ${MORE}`;
const textOf = ({ from, lines, changes }: Step, change = changes): string =>
  Array.from({ length: lines }, (_, at) => (at % 5 === 3 ? '}' : lineOf(from + at, at % 2 === 0 ? change : 0))).join(
    '\n',
  );

const matchesOf = (one: Step): string =>
  textOf(one)
    .split('\n')
    .map((line, at) => `${one.files[0]}:${one.from + at}:${line}`)
    .join('\n');

interface NamedCall {
  readonly name: string;
  readonly parameters: unknown;
}

/** A step as a call of the tools of an agent; `undefined` for words. */
function namedCall(step: Step, { name: agent }: ToolVocabulary): NamedCall | undefined {
  const [file_path] = step.files;
  const before = textOf(step);
  const after = textOf(step, step.changes + 1);
  const isClaude = agent === 'claude-code';
  const shell = (command: string): NamedCall => ({
    name: isClaude ? 'Bash' : 'run_shell_command',
    parameters: { command },
  });
  switch (step.kind) {
    case 'read':
      return { name: isClaude ? 'Read' : 'read_file', parameters: { file_path } };
    case 'read part':
      return {
        name: isClaude ? 'Read' : 'read_line_range',
        parameters: { file_path, offset: step.from, limit: step.lines },
      };
    case 'read many':
      return isClaude
        ? shell(`cat ${step.files.join(' ')}`)
        : { name: 'read_many_files', parameters: { paths: step.files } };
    case 'edit':
      return {
        name: isClaude ? 'Edit' : 'replace',
        parameters: { file_path, old_string: before, new_string: after },
      };
    case 'write':
      return { name: isClaude ? 'Write' : 'write_file', parameters: { file_path, content: before } };
    case 'cat':
      return shell(`cat ${file_path}${step.changes === 0 ? '' : ' && npm test'}`);
    case 'sed':
      return shell(`sed -i 's/a/b/' ${file_path}`);
    case 'test':
      return shell('npm test');
    case 'search':
      return { name: isClaude ? 'Grep' : 'search_file_content', parameters: { pattern: 'line' } };
    case 'talk':
    case 'ask':
      return undefined;
  }
}

/** The history of steps with the tools of an agent. Ids are reused where `reusesIds`. */
function written(steps: readonly Step[], vocabulary: ToolVocabulary, reusesIds: boolean): IContent[] {
  const history: IContent[] = [];
  const due: { readonly at: number; readonly blocks: readonly ContentBlock[] }[] = [];
  for (const [at, one] of steps.entries()) {
    const call = namedCall(one, vocabulary);
    if (call === undefined) {
      const attached = `Look.\n\n--- ${one.files[0]} ---\n${textOf(one)}\n--- End of content ---\n`;
      const text = one.kind === 'talk' ? 'Let me think.' : one.changes === 0 ? 'Go on.' : attached;
      history.push({ speaker: one.kind === 'talk' ? 'ai' : 'human', blocks: [{ type: 'text', text }] });
    } else {
      const id = reusesIds ? `call-${at % 3}` : `call-${at}`;
      const block: ContentBlock = { type: 'tool_call', id, ...call };
      const last = history.at(-1);
      if (one.joins && last?.speaker === 'ai')
        history[history.length - 1] = { ...last, blocks: [...last.blocks, block] };
      else history.push({ speaker: 'ai', blocks: [...(one.lines % 4 === 0 ? [said('\n')] : []), block] });
      const results = one.outcome === 'missing' ? [] : resultBlocks(one, id, call.name);
      const isSplit = one.outcome === 'twice' && one.lines % 2 === 0;
      due.push({ at: at + one.late, blocks: isSplit ? results.slice(0, -1) : results });
      if (isSplit) due.push({ at: at + one.late + 2, blocks: results.slice(-1) });
    }
    for (const { blocks } of due.filter((result) => result.at === at && result.blocks.length > 0)) {
      history.push({ speaker: 'tool', blocks });
    }
  }
  return history;
}

const said = (text: string): ContentBlock => ({ type: 'text', text });

/** As Claude Code shows a file. */
const numberedText = (one: Step): string =>
  textOf(one)
    .split('\n')
    .map((line, at) => `${one.from + at + 1}\t${line}`)
    .join('\n');

function resultBlocks(one: Step, callId: string, toolName: string): ContentBlock[] {
  const shown = one.kind === 'search' ? matchesOf(one) : toolName === 'Read' ? numberedText(one) : textOf(one);
  const result = one.outcome === 'pruned' ? PRUNED_RESULT : shown;
  const error = one.outcome === 'failed' ? { error: 'it did not' } : {};
  const response: ContentBlock = { type: 'tool_response', callId, toolName, result, ...error };
  const image: ContentBlock = { type: 'media', mimeType: 'image/png', data: `${one.from}`, encoding: 'base64' };
  const again: ContentBlock = {
    type: 'tool_response',
    callId,
    toolName,
    result: textOf({ ...one, from: one.from + 2 }),
  };
  return [response, ...(one.hasImage ? [image] : []), ...(one.outcome === 'twice' ? [again] : [])];
}

/** The tools of an agent whose histories are generated. */
export const anyVocabulary = fc.constantFrom(llxprt, claudeCode);

/** Entries of work on few files, where later calls change lines or show them again. */
export function workHistory(vocabulary: ToolVocabulary, maxLength = 24): fc.Arbitrary<IContent[]> {
  return fc
    .tuple(fc.array(step, { maxLength, size: 'max' }), fc.boolean())
    .map(([steps, reusesIds]) => written(steps, vocabulary, reusesIds));
}

/** What becomes of a history between two runs; numbers are taken modulo its length. */
export type Change =
  | { readonly kind: 'append' | 'other'; readonly entries: readonly IContent[] }
  /** By the next entries of the history that it began with. */
  | { readonly kind: 'grow'; readonly count: number }
  /** What was found is applied first, as before each send. */
  | { readonly kind: 'send'; readonly count: number }
  | { readonly kind: 'insert'; readonly at: number; readonly entries: readonly IContent[] }
  | { readonly kind: 'remove' | 'repeat' | 'cut' | 'shorten'; readonly at: number }
  | { readonly kind: 'apply' }
  | { readonly kind: 'same' };

export function anyChange(vocabulary: ToolVocabulary): fc.Arbitrary<Change> {
  const entries = fc.oneof(
    { weight: 4, arbitrary: workHistory(vocabulary, 6) },
    { weight: 1, arbitrary: generatedHistory() },
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('grow' as const), count: fc.constantFrom(1, 1, 2, 3, 5) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), count: fc.constantFrom(1, 2, 3, 5) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('append' as const), entries }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('apply' as const, 'same' as const) }) },
    fc.record({ kind: fc.constant('other' as const), entries }),
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat(40), entries }),
    fc.record({ kind: fc.constantFrom('remove' as const, 'repeat' as const, 'cut' as const), at: fc.nat(40) }),
    fc.record({ kind: fc.constant('shorten' as const), at: fc.nat(40) }),
  );
}

const FEW_PROTECTED = { protectedTools: ['read_file', 'Bash', 'Grep', 'replace'], protectedPaths: ['a.ts', 'src'] };

/** Any rules; those that need many entries, and those that keep most, less often than the others. */
const anyRules: fc.Arbitrary<DensityRules> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: generatedRules({ protectedTools: [], protectedPaths: [] }) },
      { weight: 1, arbitrary: generatedRules(FEW_PROTECTED) },
    ),
    fc.record({
      quietCalls: fc.constantFrom(0, 0, 1, 3),
      supersededReads: fc.constantFrom(true, true, false),
      carriedTokens: fc.constantFrom(0, 0, 1, 300, 1000),
      coldCarriedTokens: fc.constantFrom(0, 1),
      repeatedLines: fc.constantFrom(0, 1, 1, 3),
    }),
  )
  .map(([rules, weighted]) => ({ ...rules, ...weighted }));

/** Rules of every kind, the specification's among them. */
export const anyConfig: fc.Arbitrary<DensityConfig> = fc
  .record(
    {
      readWritePruning: fc.constantFrom(true, true, true, false),
      fileDedupe: fc.boolean(),
      recencyPruning: fc.boolean(),
      recencyRetention: fc.constantFrom(1, 2, 3, 0, 1.5, Number.NaN),
      workspaceRoot: fc.constantFrom(WORKSPACE, WORKSPACE, '/elsewhere'),
      rules: anyRules,
      isCold: fc.constantFrom(false, false, true),
    },
    { requiredKeys: ['readWritePruning', 'fileDedupe', 'recencyPruning', 'recencyRetention', 'workspaceRoot'] },
  )
  .map((config) => ({ ...config, canOmitThinking: config.isCold === true }));
