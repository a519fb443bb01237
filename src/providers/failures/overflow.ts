/** Each vendor's pattern for a request that exceeds the window, and a real sentence that matches it. The status does not show it: most vendors use 400, some 413 or 429, others 500. */
export const OVERFLOW_SENTENCES: readonly Readonly<Record<'vendor' | 'evidence', string> & { pattern: RegExp }>[] = [
  {
    vendor: 'Anthropic',
    pattern: /prompt is too long/i,
    evidence: 'prompt is too long: 208310 tokens > 200000 maximum',
  },
  {
    vendor: 'Anthropic',
    pattern: /input length and `?max_tokens`? exceed context limit/i,
    evidence:
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
  },
  {
    vendor: 'Anthropic',
    pattern: /request_too_large|request exceeds the maximum size/i,
    evidence: 'Request exceeds the maximum size',
  },
  {
    vendor: 'OpenAI chat, vLLM, DeepSeek, OpenRouter',
    pattern: /maximum context length is [\d,]+/i,
    evidence:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens. Please reduce the length of the messages.",
  },
  {
    vendor: 'OpenAI responses',
    pattern: /exceeds the context window/i,
    evidence: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  {
    vendor: 'OpenAI',
    pattern: /context_length_exceeded/i,
    evidence: '{"error":{"type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
  },
  {
    vendor: 'OpenAI, a request over the whole minute’s allowance',
    pattern: /tokens per min(?:ute)? \(TPM\): limit [\d,]+, requested/i,
    evidence:
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 41873. The input or output tokens must be reduced in order to run successfully.',
  },
  {
    vendor: 'Google',
    pattern: /input token count.{0,30}exceeds the maximum number of tokens/i,
    evidence: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
  },
  {
    vendor: 'xAI',
    pattern: /maximum prompt length is [\d,]+/i,
    evidence: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  },
  {
    vendor: 'Groq',
    pattern: /reduce the length of the messages or completion/i,
    evidence: 'Please reduce the length of the messages or completion.',
  },
  {
    vendor: 'vLLM',
    pattern: /longer than the maximum model length/i,
    evidence:
      'The decoder prompt (length 41012) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.',
  },
  {
    vendor: 'llama.cpp',
    pattern: /exceeds? the available context size|exceed_context_size/i,
    evidence: 'the request exceeds the available context size, try increasing it',
  },
  {
    vendor: 'LM Studio',
    pattern: /loaded with context length of only/i,
    evidence:
      'Trying to keep the first 5180 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
  },
  {
    vendor: 'Ollama',
    pattern: /input length exceeds (?:the|maximum) context length/i,
    evidence: 'input length exceeds maximum context length',
  },
];

/** True if a vendor's message means that the request exceeds the model's window. */
export function saysOverflow(words: string): boolean {
  return OVERFLOW_SENTENCES.some(({ pattern }) => pattern.test(words));
}
