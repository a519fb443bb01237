import { packageFile } from '../package-file.ts';

/** The threads of this package, by the name of their file in `workers/`. */
export type WorkerName = 'bill' | 'client' | 'compactions' | 'compare' | 'engine' | 'replay' | 'session' | 'worth';

/** The built file that a thread runs: the one place that knows where worker files are. */
export const workerFile = (name: WorkerName): URL => packageFile(`dist/workers/${name}.js`);
