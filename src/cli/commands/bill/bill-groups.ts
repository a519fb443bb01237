/** What one row of a bill is about, with some of the calls. */
export const CALL_GROUPS = ['session', 'project', 'agent', 'model', 'day', 'week', 'month'] as const;
export type BillGroup = (typeof CALL_GROUPS)[number];
/** `part`: each row has a part of all calls. */
export const BILL_GROUPS = [...CALL_GROUPS, 'part'] as const;
/** A stretch of time, in UTC. */
export type BillTime = Extract<BillGroup, 'day' | 'week' | 'month'>;
