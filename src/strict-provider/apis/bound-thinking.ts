import { createHash } from 'node:crypto';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { DroppedThinking } from '../contract.ts';
import type { PrefixNode } from '../meter.ts';
import { rulesOfModel } from '../models.ts';

/** What a signature says of its thinking. */
interface Bond {
  readonly model: string;
  /** The thinking itself, with its place among the others. */
  readonly text: string;
  /** Everything before it but thinking. */
  readonly prefix: PrefixNode;
  /** The signature of the thinking before it. */
  readonly previous: string | undefined;
}

/** From this moment on, new accounts get a 400 for thinking after a changed prefix. */
const ENFORCED_SINCE = Date.UTC(2026, 7, 31);
export const BINDING_BETA = 'thinking-binding-controls-2026-08-01';

interface CheckOptions {
  readonly model: string;
  readonly accountCreatedAt: number;
  readonly betas: readonly string[];
  /** `thinking.block_binding.prefix_mismatch_behavior` of the request. */
  readonly behavior: unknown;
}

/**
 * Signs thinking and checks it when it comes back: a signature is valid for the same text, after the same system prompt,
 * tools and messages, and after the same thinking, unless all earlier thinking was left out.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
export class BoundThinking {
  readonly #bonds = new Map<string, Bond>();

  sign(bond: Bond): string {
    const signature = createHash('sha256').update(`signature ${this.#bonds.size}`).digest('base64');
    this.#bonds.set(signature, bond);
    return signature;
  }

  /** A check of one request; its places are asked for in order. */
  checkOf(options: CheckOptions): ThinkingCheck {
    return new ThinkingCheck(this.#bonds, options);
  }
}

class ThinkingCheck {
  readonly dropped: DroppedThinking[] = [];
  /** The signature of the last valid thinking. */
  previous: string | undefined;
  readonly #bonds: ReadonlyMap<string, Bond>;
  readonly #options: CheckOptions;
  #isBroken = false;

  constructor(bonds: ReadonlyMap<string, Bond>, options: CheckOptions) {
    this.#bonds = bonds;
    this.#options = options;
  }

  /** True if the model reads this thinking. @throws RuleBroken if the API refuses the request for it. */
  accepts(signature: unknown, { text, prefix, place }: { text: string; prefix: PrefixNode; place: string }): boolean {
    const bond = typeof signature === 'string' ? this.#bonds.get(signature) : undefined;
    if (bond === undefined || bond.text !== text) {
      throw new RuleBroken(`${place}: Invalid \`signature\` in \`thinking\` block`);
    }
    const { model, accountCreatedAt, betas, behavior } = this.#options;
    if (rulesOfModel(model).bindsThinking !== true) return true;
    if (bond.model !== model) {
      this.dropped.push({ place, reason: 'model_binding_mismatch' });
      return false;
    }
    const misses = this.previous !== undefined && bond.previous !== this.previous;
    if (!this.#isBroken && bond.prefix === prefix && !misses) {
      this.previous = signature as string;
      return true;
    }
    const isEnforced = accountCreatedAt >= ENFORCED_SINCE || behavior !== undefined;
    if (isEnforced && behavior !== 'drop_block') {
      const beta = betas.includes(BINDING_BETA)
        ? ''
        : ` That setting requires the \`${BINDING_BETA}\` value in the \`anthropic-beta\` header.`;
      const missing = misses
        ? ' The `thinking` block that preceded this one when it was created is missing from this request.'
        : '';
      throw new RuleBroken(
        `${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".${beta}${missing}`,
      );
    }
    this.#isBroken = true;
    this.dropped.push({ place, reason: 'prefix_binding_mismatch' });
    return false;
  }
}
