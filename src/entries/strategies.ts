export { vocabularyWith } from '../content/tools/own-tools.ts';
export { VOCABULARIES } from '../content/vocabularies/index.ts';
export { HighDensityStrategy } from '../strategies/high-density/high-density.ts';
export { getCompressionStrategy } from '../strategies/index.ts';
export { MiddleOutStrategy } from '../strategies/middle-out.ts';
export { OneShotStrategy } from '../strategies/one-shot.ts';
export { TopDownTruncationStrategy } from '../strategies/top-down-truncation.ts';
