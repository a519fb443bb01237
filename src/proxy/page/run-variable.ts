/** In the environment of a wrapped agent: the file that says where its page is, and what was saved. */
export const RUN_VARIABLE = 'DENSITY_RUN';
