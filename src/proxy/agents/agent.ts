import type { Mount } from '../contract.ts';

/** How and where an agent is about to run. */
export interface AgentStart {
  /** As the person typed them after the agent's name. */
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  readonly home: string;
  /** `--upstream`: where requests go, whatever the agent's own settings say. */
  readonly upstream?: URL;
}

/** How the agent is told where the proxy is. */
interface Pointing {
  readonly parameters: readonly string[];
  /** Added to the environment of the agent. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called when the agent has ended, before the folder is deleted. */
  readonly ended?: () => Promise<void>;
}

/** Where a proxy listens, with its tokens. */
interface ProxyAddresses {
  /** Paths of mounts follow it. */
  readonly proxyUrl: string;
  /** The address that is asked before a tool runs; empty: no address is asked. */
  readonly guardUrl: string;
}

/** Where the requests of an agent go, and how it is sent through the proxy instead. No file of the person's changes. */
export interface AgentRoute {
  readonly mounts: readonly Mount[];
  /** Why its calls are not looked at before they run; absent: they are. */
  readonly unguarded?: string;
  /** What was never tried with the version that is installed, and what is left out for it; said before the agent starts. */
  readonly untried?: string;
  /** What does not work behind the proxy, or is to be known otherwise: a sentence each, said at the first start in a folder. */
  readonly notes?: readonly string[];
  /** True: it sends nothing through a company's proxy, so `NO_PROXY` need not name the address of this one. */
  readonly isDirect?: boolean;
  /** `folder` is empty, private and deleted when the agent ends. */
  point(addresses: ProxyAddresses, folder: string): Promise<Pointing>;
}

/** A coding agent that can be started through the proxy. */
export interface WrappedAgent {
  /** The name of its command. */
  readonly command: string;
  /** Its name in the table of session lengths. */
  readonly agent: string;
  /** How to install it. */
  readonly install: string;
  /** What makes it send one request without a question, in an empty home folder and with an invented key. */
  readonly trial: Pick<Pointing, 'parameters' | 'environment'> & {
    /** In its home folder, by path. */
    readonly files?: Readonly<Record<string, string>>;
  };
  /** @throws CompressionStrategyError `USAGE` where its requests go somewhere that cannot be proxied. */
  route(start: AgentStart): Promise<AgentRoute>;
}
