import * as api from 'high-density';
import { expect, test } from 'vitest';

test('the package exposes exactly the public API', () => {
  expect(Object.keys(api).sort()).toEqual([
    'COMPRESSION_STRATEGIES',
    'CompressionExecutionError',
    'CompressionStrategyError',
    'ContentValidation',
    'HistoryService',
    'PreSendGate',
    'SESSION_FORMATS',
    'SETTINGS_REGISTRY',
    'TOKENIZER_FAMILIES',
    'ThreadPool',
    'ThreadUnavailableError',
    'UnknownStrategyError',
    'VOCABULARIES',
    'checkSetting',
    'contextLimitOfModel',
    'countBlock',
    'countEntry',
    'createEphemerals',
    'createHistoryService',
    'createTokenizer',
    'createToolResponse',
    'createUserMessage',
    'detectFormat',
    'familyOfModel',
    'formatNamed',
    'getCompressionStrategy',
    'liveHistory',
    'parseCompressionStrategyName',
    'parseSettings',
    'processPool',
    'replaySession',
    'switchEngine',
  ]);
});
