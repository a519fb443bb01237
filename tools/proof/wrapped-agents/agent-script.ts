import type { GivenDensityConfig } from '../../../src/strategies/settings/density-config.ts';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';
import type { Agent } from '../agents.ts';

/** A session of an agent in which a scripted model changes files. */
export interface AgentScript {
  readonly name: string;
  /** What a person says; the agent ends before each prompt but the first one. Where it cannot go on, all are one prompt. */
  readonly prompts: readonly string[];
  /** Passes before each of these prompts. */
  readonly pauseMs: number;
  /** True if the pause passes after this request too, which is one of so many. */
  readonly pausesAfter: (request: ProviderRequest, calls: number) => boolean;
  /** The part of a saving by which two runs may differ besides, because sub-agents report sooner or later. */
  readonly noise: number;
  /** Writes the files of the session into the folder in which the agent works. */
  readonly setUp: (work: string) => void;
  /** What the model says to a request. */
  readonly says: (request: ProviderRequest, work: string) => Said;
  /** True if the files are as the script leaves them. */
  readonly isDone: (work: string) => boolean;
}

/** An agent that runs a script. */
export interface ScriptedAgent {
  /** With its model, where another one is asked for than usual. */
  readonly name: string;
  readonly agent: Agent;
  readonly script: AgentScript;
  /** Default: `recommended`. */
  readonly config?: GivenDensityConfig;
}
