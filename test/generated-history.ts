import fc from 'fast-check';
import { pairCalls, unansweredCalls } from '../src/content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../src/content/content.ts';

/** Absolute directory that relative paths of generated tool calls start in. */
export const GENERATED_WORKSPACE = '/repo/generated';

/** What a generated history may contain; `featuresOf` says which of them one does. */
export const FEATURES = [
  'reused ids',
  'parallel calls',
  'missing responses',
  'failed writes',
  'inclusions in one block',
  'inclusions over blocks',
  'thinking',
  'media',
  'several responses to one call',
  'orphan responses',
] as const;

export type Feature = (typeof FEATURES)[number];

/** Features that only histories with broken pairs have. */
const BROKEN_FEATURES: readonly Feature[] = ['missing responses', 'several responses to one call', 'orphan responses'];

interface Step {
  readonly tool: string;
  readonly file: string;
  readonly outcome: 'success' | 'failure' | 'missing' | 'twice';
  readonly resultLines: number;
  readonly hasMedia: boolean;
}

interface Turn {
  readonly prompt: 'words' | 'inclusion' | 'spread' | 'both' | 'media';
  readonly files: readonly string[];
  readonly text: string;
  readonly rounds: readonly { steps: readonly Step[]; thinks: boolean; says: string; joinsResponses: boolean }[];
  readonly ending: 'answer' | 'nothing' | 'orphan';
}

const FILES = ['src/index.ts', './src/index.ts', 'src/parse.ts', `${GENERATED_WORKSPACE}/src/parse.ts`, 'README.md'];
const TOOLS = ['read_file', 'read_file', 'read_many_files', 'write_file', 'replace', 'run_shell_command', 'glob'];
const file = fc.constantFrom(...FILES);
const sentence = fc.constantFrom(
  'Fix the parser.',
  'Look at this first:\n\nthen go on.',
  'Ok',
  'Ünïcödé 😀 words',
  '  keep me  ',
);

function stepArbitrary(pairs: Pairs): fc.Arbitrary<Step> {
  return fc.record({
    tool: fc.constantFrom(...TOOLS),
    file,
    outcome:
      pairs === 'intact'
        ? fc.constantFrom('success', 'success', 'success', 'failure')
        : fc.constantFrom('success', 'success', 'success', 'success', 'failure', 'failure', 'missing', 'twice'),
    resultLines: fc.integer({ min: 0, max: 30 }),
    hasMedia: fc.nat(7).map((roll) => roll === 0),
  });
}

function turnArbitrary(pairs: Pairs): fc.Arbitrary<Turn> {
  return fc.record({
    prompt: fc.constantFrom('words', 'words', 'inclusion', 'spread', 'both', 'media'),
    files: fc.array(file, { minLength: 1, maxLength: 3 }),
    text: sentence,
    rounds: fc.array(
      fc.record({
        steps: fc.array(stepArbitrary(pairs), { minLength: 1, maxLength: 3 }),
        thinks: fc.boolean(),
        says: fc.oneof(fc.constant(''), fc.constant('\n\n'), sentence),
        joinsResponses: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    ending: pairs === 'intact' ? fc.constantFrom('answer', 'nothing') : fc.constantFrom('answer', 'nothing', 'orphan'),
  });
}

export type Pairs = 'intact' | 'broken';

/**
 * Histories as agents make them, of up to a hundred entries: prompts with inclusions of both shapes, rounds of
 * parallel calls of the default vocabulary, thinking, media, failures. `intact`: every call has exactly one response;
 * `broken`: some have none or two, and some responses have no call.
 */
export function generatedHistory(pairs: Pairs = 'broken'): fc.Arbitrary<IContent[]> {
  return fc
    .tuple(fc.array(turnArbitrary(pairs), { minLength: 0, maxLength: 8 }), fc.constantFrom('unique', 'reused'))
    .map(([turns, ids]) => new HistoryWriter(ids === 'reused').write(turns));
}

/** Which features a history has. */
export function featuresOf(history: readonly IContent[]): Set<Feature> {
  const found = new Set<Feature>();
  const pairing = pairCalls(history);
  const ids = pairing.calls.map(({ call }) => call.id);
  if (new Set(ids).size < ids.length) found.add('reused ids');
  if (unansweredCalls(pairing).length > 0) found.add('missing responses');
  if (pairing.calls.some(({ responses }) => responses.length > 1)) found.add('several responses to one call');
  if (pairing.responses.some(({ call }) => call === undefined)) found.add('orphan responses');
  const isFailedWrite = (name: string, error?: string): boolean =>
    error !== undefined && (name === 'write_file' || name === 'replace');
  if (pairing.responses.some(({ response }) => isFailedWrite(response.toolName, response.error))) {
    found.add('failed writes');
  }
  for (const { speaker, blocks } of history) {
    if (blocks.filter(({ type }) => type === 'tool_call').length > 1) found.add('parallel calls');
    for (const block of blocks) {
      if (block.type === 'thinking' || block.type === 'media') found.add(block.type);
      if (speaker !== 'human' || block.type !== 'text') continue;
      if (/^--- .*\.\w+ ---$[\s\S]*^--- End of content ---$/m.test(block.text)) found.add('inclusions in one block');
      if (/^\nContent from @.*:\n$/.test(block.text)) found.add('inclusions over blocks');
    }
  }
  return found;
}

/** The share, 0 to 1, of `histories` that have each feature; what the pairs rule out is left out. */
export function featureShares(histories: readonly (readonly IContent[])[], pairs: Pairs): Record<string, number> {
  const features = histories.map(featuresOf);
  const possible = FEATURES.filter((feature) => pairs === 'broken' || !BROKEN_FEATURES.includes(feature));
  return Object.fromEntries(
    possible.map((feature) => [feature, features.filter((found) => found.has(feature)).length / histories.length]),
  );
}

/** Writes turns as entries. The state of a session: ids, the clock, the content of files. */
class HistoryWriter {
  readonly #history: IContent[] = [];
  readonly #reusesIds: boolean;
  #calls = 0;

  constructor(reusesIds: boolean) {
    this.#reusesIds = reusesIds;
  }

  write(turns: readonly Turn[]): IContent[] {
    for (const turn of turns) {
      this.#add('human', promptBlocks(turn, this.#history.length));
      for (const { steps, thinks, says, joinsResponses } of turn.rounds) {
        const calls = steps.map((step): ToolCallBlock => this.#call(step));
        const thinking: ContentBlock[] = thinks
          ? [{ type: 'thinking', thought: 'Consider it.', signature: 'c2ln', sourceField: 'thinking' }]
          : [];
        const text: ContentBlock[] = says === '' ? [] : [{ type: 'text', text: says }];
        this.#add('ai', [...thinking, ...text, ...calls]);
        const responses = steps.map((step, at) => responseBlocks(step, calls[at]!));
        if (joinsResponses) this.#add('tool', responses.flat());
        else for (const blocks of responses) this.#add('tool', blocks);
      }
      if (turn.ending === 'answer') this.#add('ai', [{ type: 'text', text: 'Done.' }]);
      if (turn.ending === 'orphan') {
        this.#add('tool', [{ type: 'tool_response', callId: 'nobody', toolName: 'glob', result: 'lost' }]);
      }
    }
    return this.#history;
  }

  #call({ tool, file: path }: Step): ToolCallBlock {
    const count = this.#calls++;
    const id = this.#reusesIds ? `call_${count % 3}` : `call_${count}`;
    return { type: 'tool_call', id, name: tool, parameters: parametersOf(tool, path) };
  }

  #add(speaker: IContent['speaker'], blocks: readonly ContentBlock[]): void {
    if (blocks.length > 0) this.#history.push({ speaker, blocks, metadata: { id: `entry-${this.#history.length}` } });
  }
}

function parametersOf(tool: string, path: string): unknown {
  if (tool === 'read_many_files') return { paths: [path, 'README.md'] };
  if (tool === 'run_shell_command') return { command: `cat ${path} && npm test` };
  return tool === 'glob' ? { pattern: '**/*.ts' } : { file_path: path };
}

function responseBlocks({ outcome, tool, resultLines, hasMedia }: Step, call: ToolCallBlock): ContentBlock[] {
  if (outcome === 'missing') return [];
  const response: ToolResponseBlock = {
    type: 'tool_response',
    callId: call.id,
    toolName: tool,
    result: outcome === 'failure' ? null : 'const line = compute(value);\n'.repeat(resultLines),
    ...(outcome === 'failure' && { error: 'File not found: it may have been moved\nat readFile' }),
  };
  const media: ContentBlock[] = hasMedia ? [image('shot.png')] : [];
  return outcome === 'twice' ? [response, ...media, { ...response, result: 'and again' }] : [response, ...media];
}

function promptBlocks({ prompt, files, text }: Turn, seed: number): ContentBlock[] {
  const words: ContentBlock = { type: 'text', text };
  if (prompt === 'words') return [words];
  if (prompt === 'media') return [words, image('photo.png')];
  const oneBlock: ContentBlock = {
    type: 'text',
    text: `${text}\n\n${files.map((path) => `--- ${path} ---\nbody ${seed}\n\n  of it\n--- End of content ---\n`).join('\n')}`,
  };
  const spread: ContentBlock[] = [
    { type: 'text', text: '\n--- Content from referenced files ---' },
    ...files.flatMap((path): ContentBlock[] => [
      { type: 'text', text: `\nContent from @${path}:\n` },
      { type: 'text', text: `body ${seed}\n--- not a header\n` },
    ]),
    { type: 'text', text: '\n--- End of content ---' },
  ];
  if (prompt === 'inclusion') return [oneBlock];
  return prompt === 'spread' ? [words, ...spread] : [oneBlock, ...spread];
}

function image(filename: string): ContentBlock {
  return { type: 'media', mimeType: 'image/png', data: 'iVBORw0KGgo=', encoding: 'base64', filename };
}
