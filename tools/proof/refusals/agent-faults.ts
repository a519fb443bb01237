import type { IContent } from '../../../src/content/content.ts';
import type { Refused } from '../../../src/strict-provider/contract.ts';
import { contextLimitOfModel } from '../../../src/tokens/models.ts';

/** A fault of a request that is the agent's own, and of no form of a result. */
export interface AgentFault {
  readonly name: string;
  /** What the agent sends at the end of its list for this model; nothing where the list is not the reason. */
  readonly added: (model: string) => readonly IContent[];
  /** The vendor's words where the strict provider does not look at such a thing. */
  readonly refusal?: string;
}

const said = (block: IContent['blocks'][number]): readonly IContent[] => [{ speaker: 'human', blocks: [block] }];

/** A word of this length is a token or more in every vocabulary. */
const WORD = 'x ';

export const AGENT_FAULTS: readonly AgentFault[] = [
  {
    name: 'too long',
    added: (model) => said({ type: 'text', text: WORD.repeat(contextLimitOfModel(model)) }),
  },
  {
    name: 'bad picture',
    added: () => said({ type: 'media', mimeType: 'image/png', encoding: 'base64', data: 'bm8gcGljdHVyZQ==' }),
    // Source: https://github.com/anthropics/claude-code/issues/13480
    refusal: 'Could not process image',
  },
  {
    name: 'no credit',
    added: () => [],
    // Source: https://platform.claude.com/docs/en/api/errors
    refusal: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
  },
];

export const refused = (message: string): Refused => ({ status: 400, body: { error: { message } }, message });
