export { vocabularyWith } from '../content/tools/own-tools.ts';
export { VOCABULARIES } from '../content/vocabularies/index.ts';
export { HighDensityStrategy } from '../strategies/high-density/high-density.ts';
export { getCompressionStrategy } from '../strategies/index.ts';
export { MiddleOutStrategy, OneShotStrategy } from '../strategies/summary-strategies.ts';
export { TopDownTruncationStrategy } from '../strategies/top-down-truncation.ts';
