import type { ThinkingBlock } from './content.ts';

/**
 * The bytes that encryption adds to a thought. Source: most signatures in recorded thoughts of Claude 4.5 and 4.6 decode
 * to the size of the thought plus 175 bytes; the Codex CLI subtracts 650 from OpenAI's encrypted reasoning.
 */
const [SIGNATURE_BYTES, ENCRYPTION_BYTES] = [175, 650] as const;

/** The bytes of a thought that is in its block only encrypted; of OpenAI's, the full reasoning beside its summary. */
export function hiddenBytes({ thought, signature, encryptedContent }: ThinkingBlock): number {
  if (encryptedContent) return bytesIn(encryptedContent, ENCRYPTION_BYTES);
  return thought === '' && signature ? bytesIn(signature, SIGNATURE_BYTES) : 0;
}

const bytesIn = (base64: string, envelopeBytes: number): number => Math.max(0, (base64.length * 3) / 4 - envelopeBytes);
