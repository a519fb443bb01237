/** What one row of a bill is about. */
export const BILL_GROUPS = ['session', 'project', 'agent', 'model', 'day', 'week', 'month'] as const;
export type BillGroup = (typeof BILL_GROUPS)[number];
/** A stretch of time, in UTC. */
export type BillTime = Extract<BillGroup, 'day' | 'week' | 'month'>;
