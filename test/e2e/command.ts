import path from 'node:path';

/** The built command, as a user runs it. */
export const COMMAND = path.resolve(import.meta.dirname, '../../dist/density.js');
