import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { canonicalModel } from '../model-name.ts';

/** What a user knows of models: settings of the same names, as they were checked. */
interface GivenModels {
  /** Prices, as `MODEL_PRICES` matches them. */
  readonly modelPrices: string;
  /** Names of models with commas between them, whose thinking stays valid when earlier text changes. */
  readonly unboundThinking: string;
}

const RATE = String.raw`\d+(?:\.\d+)?`;
const ROW = String.raw`[^\s,|;]+\s+${RATE}(?:\/${RATE}){3}`;

/** Models with their prices: `my-model 2/0.2/2.5/10`, more with commas between them. */
// Bounded text: a setting that a person writes.
export const MODEL_PRICES: RegExp = new RegExp(String.raw`^\s*${ROW}\s*(?:,\s*${ROW}\s*)*$`);

/** The vendor of a model that only the user has a price of. */
export const GIVEN = 'given';

const PLACE = 'high-density: models';

/** Sets what is known of models in this process, and in the threads that it starts afterwards. */
export function setGivenModels({ modelPrices = '', unboundThinking = '' }: Partial<GivenModels>): void {
  setEnvironmentData(PLACE, { modelPrices, unboundThinking });
}

const NONE: GivenModels = { modelPrices: '', unboundThinking: '' };

/** What the user knows of models, as it was given. */
export const givenModels = (): GivenModels => (getEnvironmentData(PLACE) as unknown as GivenModels | undefined) ?? NONE;

/** The user's prices as rows of the price table. */
export const givenRows = (prices: string): readonly string[] =>
  prices.split(',').flatMap((row) => {
    const [model, rates] = row.trim().split(/\s+/);
    if (model === undefined || rates === undefined) return [];
    const [input, read, write, output] = rates.split('/');
    return [`${GIVEN} | ${model} | - | ${input} ${read} ${write} - ${output}`];
  });

/** True if the user says that this model's thinking stays valid when earlier text changes. */
export const isThinkingUnbound = (model: string): boolean =>
  givenModels()
    .unboundThinking.split(',')
    .some((name) => name.trim() !== '' && canonicalModel(name) === canonicalModel(model));
