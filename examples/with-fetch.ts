import { fileStore, prunedFetch } from 'high-density/fetch';
import OpenAI from 'openai';

/** A client whose requests are pruned on their way. `baseURL`: of your provider, if it is not OpenAI. */
export function prunedClient({ apiKey, baseURL, memory }: { apiKey: string; baseURL?: string; memory: string }) {
  const fetch = prunedFetch({
    workspaceRoot: process.cwd(),
    store: fileStore(memory), // decisions survive a restart
    onReport: ({ savedTokens, changed }) => {
      for (const { reason } of changed) console.log(`${reason}; ${Math.round(savedTokens)} tokens saved now`);
    },
  });
  return new OpenAI({ apiKey, fetch, ...(baseURL !== undefined && { baseURL }) });
}
