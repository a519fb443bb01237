import fc from 'fast-check';
import { runs } from './property-runs.ts';

/** Every run tries the same generated cases, so that only a change makes a test fail. `SEED=<number>` tries others. */
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_122), numRuns: runs(100) });
