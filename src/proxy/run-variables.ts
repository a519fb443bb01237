/** In the environment of a wrapped agent: the file that says where its page is, and what was saved. */
export const RUN_VARIABLE = 'DENSITY_RUN';

/** In the environment of a wrapped agent whose calls the wrapper looks at before they run: where it is asked. */
export const GUARD_VARIABLE = 'DENSITY_GUARD';
