import * as api from 'high-density';
import * as compact from 'high-density/compact';
import { expect, test } from 'vitest';

test('the package exposes exactly the public API', () => {
  expect(Object.keys(api).sort()).toEqual([
    'BUILT_IN_PROFILES',
    'BlockArchive',
    'COMPRESSION_STRATEGIES',
    'CompressionExecutionError',
    'CompressionStrategyError',
    'ContentValidation',
    'EmptySummaryError',
    'FileTranscript',
    'HighDensityStrategy',
    'HistoryService',
    'LOSS_TITLES',
    'MiddleOutStrategy',
    'OneShotStrategy',
    'PreSendGate',
    'ProfileStore',
    'PromptResolutionError',
    'RecordedSummaries',
    'SESSION_FORMATS',
    'SETTINGS_REGISTRY',
    'TOKENIZER_FAMILIES',
    'ThreadPool',
    'ThreadUnavailableError',
    'TopDownTruncationStrategy',
    'USUAL_POLICIES',
    'UnknownStrategyError',
    'VOCABULARIES',
    'adjustForToolCallBoundary',
    'assembleMessages',
    'blockCounter',
    'blockHash',
    'certify',
    'checkSetting',
    'compactMessages',
    'comparePolicies',
    'contextLimitOfModel',
    'convertSession',
    'countBlock',
    'countEntry',
    'createEngine',
    'createEphemerals',
    'createHistoryService',
    'createProvider',
    'createTokenizer',
    'createToolResponse',
    'createUserMessage',
    'detectFormat',
    'explainSettings',
    'familyOfModel',
    'formatNamed',
    'getCompressionPrompt',
    'getCompressionStrategy',
    'learnFactor',
    'linesOf',
    'linesOfText',
    'lintHistory',
    'lintRequest',
    'liveHistory',
    'lossesBetween',
    'parseCompressionStrategyName',
    'parsePolicies',
    'parseSettings',
    'partitionMessages',
    'processPool',
    'promptFiles',
    'replaySession',
    'restoreRecentFiles',
    'settingSources',
    'shouldCompact',
    'switchEngine',
    'takenBlocks',
    'writableFormats',
  ]);
});

test('the subpath high-density/compact exposes compactMessages and its parts', () => {
  expect(Object.keys(compact).sort()).toEqual([
    'assembleMessages',
    'compactMessages',
    'partitionMessages',
    'restoreRecentFiles',
    'shouldCompact',
  ]);
});

test('a host certifies a step, lints a history and compares policies with the public API alone', async () => {
  const { vocabulary } = api.formatNamed('high-density');
  const call = { type: 'tool_call', id: '1', name: 'read_file', parameters: { absolute_path: '/p/a.ts' } } as const;
  const response = { type: 'tool_response', callId: '1', toolName: 'read_file', result: 'a line of the file' } as const;
  const history: api.IContent[] = [
    { speaker: 'human', blocks: [{ type: 'text', text: 'Read it.' }] },
    { speaker: 'ai', blocks: [call] },
    { speaker: 'tool', blocks: [response] },
  ];
  const countBlock = api.blockCounter('gpt-5');
  const context = { vocabulary, workspaceRoot: '/p', includesShellWrites: false, countBlock };
  const certificate = api.certify(history, history.slice(0, 1), { kind: 'compressed', ...context });
  expect(certificate.items.map(({ hash }) => hash)).toEqual([api.blockHash(call), api.blockHash(response)]);
  expect(api.lintHistory(history.slice(0, 2)).map(({ rule }) => rule)).toEqual(['ends-with-open-call']);
  const events = history.map((content) => ({ kind: 'add' as const, content }));
  const session = { format: 'high-density', events, skipped: [] };
  const outcomes = await api.comparePolicies({ session, vocabulary, model: 'gpt-5', countBlock }, api.USUAL_POLICIES);
  expect(outcomes.map(({ calls, regrets }) => [calls, regrets])).toEqual(api.USUAL_POLICIES.map(() => [1, []]));
});
