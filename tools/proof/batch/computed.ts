/** The key of the number of sessions that all workers have read. */
export const COMPUTED = 'density:proof:computed';
