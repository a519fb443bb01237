/** What one row of a bill is about. */
export const BILL_GROUPS = ['session', 'project', 'agent', 'model', 'day'] as const;
export type BillGroup = (typeof BILL_GROUPS)[number];
