/** In the environment of a wrapped agent: the file that says where its page is, and what was saved. */
export const RUN_VARIABLE = 'DENSITY_RUN';

/** In the environment of a wrapped agent whose calls the wrapper looks at before they run: where it is asked. */
export const GUARD_VARIABLE = 'DENSITY_GUARD';

/**
 * For trials of keep-warm without a provider: the origin of the server in the place of the vendor's, and how often faster prompts expire
 * there, as in `http://127.0.0.1:8080 150`.
 */
export const WARM_TRIAL_VARIABLE = 'DENSITY_WARM_TRIAL';
