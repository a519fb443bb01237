/**
 * Lists the models of recorded sessions without a price, with the number of their sessions:
 *
 *     npm run prices -- <session or folder...>
 */
import { namedSessions } from '../src/cli/options/named-sessions.ts';
import { missingPriceLine } from '../src/economics/models/missing-price.ts';
import { unpricedModels } from '../src/lab/files/unpriced-models.ts';

const named = process.argv.slice(2);
if (named.length === 0) throw new Error('Expected a session or a folder: npm run prices -- <folder>');
const { files } = namedSessions(named);
const models = unpricedModels(files);
for (const [model, sessions] of models) console.log(`${sessions}  ${JSON.stringify(model)}`);
console.log(missingPriceLine([...models.keys()]) ?? `All models of ${files.length} files have a price.`);
