import Anthropic from '@anthropic-ai/sdk';
import { prunedMessages } from 'high-density/anthropic';

/** A client whose requests are pruned on their way. `baseURL`: of your provider, if it is not Anthropic. */
export function prunedAnthropic({ apiKey, baseURL }: { apiKey: string; baseURL?: string }) {
  const middleware = [prunedMessages({ workspaceRoot: process.cwd() })];
  return new Anthropic({ apiKey, middleware, ...(baseURL !== undefined && { baseURL }) });
}
