import { CompressionStrategyError } from '../errors.ts';
import { nearestName } from '../settings/nearest-name.ts';
import type { IProvider } from '../strategies/contract.ts';
import type { ChatModel } from './chat-model.ts';
import { type RetryOptions, retryingProvider } from './failures/retrying-provider.ts';
import { ModelProvider, type ModelProviderOptions } from './model-provider.ts';
import type { ModelSetup } from './offloaded/client-protocol.ts';
import { offloadedProvider } from './offloaded/offloaded-provider.ts';
import { VENDORS, type Vendor } from './vendors.ts';

/** The vendor of this name. @throws CompressionStrategyError `PROVIDER_UNKNOWN` with the known names. */
function vendorNamed(name: string): Vendor {
  const vendor = VENDORS.find((known) => known.name === name);
  if (vendor !== undefined) return vendor;
  const names = VENDORS.map((each) => each.name);
  throw new CompressionStrategyError(
    `Expected a provider (${names.join(', ')}), got ${JSON.stringify(name)}. Did you mean "${nearestName(name, names)}"?`,
    'PROVIDER_UNKNOWN',
  );
}

/**
 * The provider of summaries of this vendor, which retries transient failures. Keys are read only from the environment.
 * @throws CompressionStrategyError `PROVIDER_UNKNOWN`, or `PROVIDER_NOT_CONFIGURED` if key, model or address is missing.
 */
export function createProvider(name: string, options: ModelProviderOptions & RetryOptions = {}): IProvider {
  return retryingProvider(offloadedProvider(new ModelProvider(vendorNamed(name), options)), options);
}

/** The provider with this setup, for another thread. @throws CompressionStrategyError `PROVIDER_UNKNOWN` */
export function modelProviderOf({ vendor: name, model, baseUrl, apiKey, idleMs }: ModelSetup): ModelProvider {
  const vendor = vendorNamed(name);
  const environment = { [vendor.keyVariables[0] ?? '']: apiKey };
  return new ModelProvider(vendor, { model, baseUrl, environment, idleMs });
}

/**
 * The model of this vendor that answers in a conversation, without retries. A thread asks it. Keys are read only from the environment.
 * @throws CompressionStrategyError as `createProvider`.
 */
export const createChatModel = (name: string, options: ModelProviderOptions = {}): ChatModel =>
  offloadedProvider(new ModelProvider(vendorNamed(name), options));
