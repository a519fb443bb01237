import { createHash } from 'node:crypto';

/** The name of a text within a conversation. */
export const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64url');
