import * as api from 'high-density';
import * as compact from 'high-density/compact';
import { expect, test } from 'vitest';

test('the package exposes exactly the public API', () => {
  expect(Object.keys(api).sort()).toEqual([
    'COMPRESSION_STRATEGIES',
    'CompressionExecutionError',
    'CompressionStrategyError',
    'ContentValidation',
    'EmptySummaryError',
    'HighDensityStrategy',
    'HistoryService',
    'MiddleOutStrategy',
    'OneShotStrategy',
    'PreSendGate',
    'PromptResolutionError',
    'RecordedSummaries',
    'SESSION_FORMATS',
    'SETTINGS_REGISTRY',
    'TOKENIZER_FAMILIES',
    'ThreadPool',
    'ThreadUnavailableError',
    'TopDownTruncationStrategy',
    'UnknownStrategyError',
    'VOCABULARIES',
    'adjustForToolCallBoundary',
    'assembleMessages',
    'checkSetting',
    'compactMessages',
    'contextLimitOfModel',
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
    'familyOfModel',
    'formatNamed',
    'getCompressionPrompt',
    'getCompressionStrategy',
    'learnFactor',
    'liveHistory',
    'parseCompressionStrategyName',
    'parseSettings',
    'partitionMessages',
    'processPool',
    'promptFiles',
    'replaySession',
    'restoreRecentFiles',
    'shouldCompact',
    'switchEngine',
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
