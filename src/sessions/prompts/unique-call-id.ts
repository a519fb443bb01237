/** False for ids that agents number themselves: they are in many conversations. */
export const isUniqueCallId = (callId: string): boolean => /[A-Za-z0-9]{16}/.test(callId);
