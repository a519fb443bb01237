import * as api from 'high-density';
import * as anthropic from 'high-density/anthropic';
import * as compact from 'high-density/compact';
import * as fetching from 'high-density/fetch';
import * as formats from 'high-density/formats';
import * as live from 'high-density/live';
import * as providers from 'high-density/providers';
import * as replay from 'high-density/replay';
import * as sessions from 'high-density/sessions';
import * as settings from 'high-density/settings';
import * as strategies from 'high-density/strategies';
import * as tokens from 'high-density/tokens';
import { expect, test } from 'vitest';

test('`.` exposes what the author of an agent needs', () => {
  expect(Object.keys(api).sort()).toEqual([
    'COMPRESSION_STRATEGIES',
    'CompressionExecutionError',
    'CompressionStrategyError',
    'ContentValidation',
    'EmptySummaryError',
    'HistoryService',
    'OriginalEntries',
    'PreSendGate',
    'PromptResolutionError',
    'ThreadPool',
    'ThreadUnavailableError',
    'UnknownStrategyError',
    'adjustForToolCallBoundary',
    'applyModelSettings',
    'copiedMarker',
    'createEngine',
    'createEphemerals',
    'createHistoryService',
    'createToolResponse',
    'createUserMessage',
    'parseCompressionStrategyName',
    'processPool',
    'switchEngine',
  ]);
});

test.each([
  [
    'compact',
    compact,
    ['assembleMessages', 'compactMessages', 'partitionMessages', 'restoreRecentFiles', 'shouldCompact'],
  ],
  ['anthropic', anthropic, ['fileStore', 'prunedMessages']],
  ['fetch', fetching, ['fileStore', 'prunedFetch']],
  [
    'formats',
    formats,
    [
      'LOSS_TITLES',
      'SESSION_FORMATS',
      'convertSession',
      'detectFormat',
      'formatNamed',
      'linesOf',
      'linesOfText',
      'liveHistory',
      'lossesBetween',
      'writableFormats',
    ],
  ],
  ['live', live, ['createPruner', 'fileStore']],
  ['providers', providers, ['RecordedSummaries', 'createChatModel', 'createProvider', 'getCompressionPrompt']],
  [
    'replay',
    replay,
    [
      'DEFAULT_PROFILES',
      'certify',
      'compareProfiles',
      'compressedEntries',
      'lintHistory',
      'lintRequest',
      'optimizedEntries',
      'parseProfiles',
      'replaySession',
    ],
  ],
  [
    'sessions',
    sessions,
    [
      'BlockArchive',
      'FileTranscript',
      'SessionLog',
      'blockHash',
      'foundSessions',
      'readSessionOnThread',
      'removedBlocks',
      'sessionPlaces',
    ],
  ],
  [
    'settings',
    settings,
    [
      'BUILT_IN_PROFILES',
      'ProfileStore',
      'SETTINGS_REGISTRY',
      'checkSetting',
      'explainSettings',
      'parseSettings',
      'promptFiles',
      'resolveSetting',
      'settingSources',
    ],
  ],
  [
    'strategies',
    strategies,
    [
      'HighDensityStrategy',
      'MiddleOutStrategy',
      'OneShotStrategy',
      'TopDownTruncationStrategy',
      'VOCABULARIES',
      'getCompressionStrategy',
      'vocabularyWith',
    ],
  ],
  [
    'tokens',
    tokens,
    [
      'TOKENIZER_FAMILIES',
      'blockCounter',
      'contextLimitOfModel',
      'countBlock',
      'countEntry',
      'createTokenizer',
      'familyOfModel',
      'learnFactor',
    ],
  ],
] as const)('the entry high-density/%s exposes exactly its public API', (_, entry, names) => {
  expect(Object.keys(entry).sort()).toEqual(names);
});

test('a host certifies a step, lints a history and compares policies with the public API alone', async () => {
  const { vocabulary } = formats.formatNamed('high-density');
  const call = { type: 'tool_call', id: '1', name: 'read_file', parameters: { absolute_path: '/p/a.ts' } } as const;
  const response = { type: 'tool_response', callId: '1', toolName: 'read_file', result: 'a line of the file' } as const;
  const history: api.IContent[] = [
    { speaker: 'human', blocks: [{ type: 'text', text: 'Read it.' }] },
    { speaker: 'ai', blocks: [call] },
    { speaker: 'tool', blocks: [response] },
  ];
  const countBlock = tokens.blockCounter('gpt-5');
  const after = history.slice(0, 1);
  const changes = replay.compressedEntries(history, after, 'mine');
  const context = { vocabulary, workspaceRoot: '/p', model: 'gpt-5' };
  const certificate = replay.certify(history, after, { kind: 'compressed', changes, ...context });
  expect(certificate.items.map(({ hash }) => hash)).toEqual([sessions.blockHash(call), sessions.blockHash(response)]);
  expect(replay.lintHistory(history.slice(0, 2)).map(({ rule }) => rule)).toEqual(['ends-with-open-call']);
  const events = history.map((content) => ({ kind: 'add' as const, content }));
  const session = { format: 'high-density', events, skipped: [] };
  const outcomes = await replay.compareProfiles(
    { session, vocabulary, model: 'gpt-5', countBlock },
    replay.DEFAULT_PROFILES,
  );
  expect(outcomes.map(({ calls, regrets }) => [calls, regrets])).toEqual(replay.DEFAULT_PROFILES.map(() => [1, []]));
});
