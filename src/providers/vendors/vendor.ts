/** Environment variables by name. Keys are read only from the environment, never from the command line or a file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A `LanguageModel` of the AI SDK, whose declarations do not compile under all settings of a caller. */
interface VendorModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** The API of one vendor. */
export interface Vendor {
  readonly name: string;
  /** Variables with the key; the first one that is set counts. */
  readonly keyVariables: readonly string[];
  /** True if the API needs no key, like a local server. */
  readonly worksWithoutKey: boolean;
  readonly baseUrlVariable: string;
  /** The default address of the API; absent if there is none. */
  readonly defaultBaseUrl?: string;
  /** The default model: small, fast, with a large window. */
  readonly defaultModel?: string;
  /** Loads the vendor's client and creates the model. */
  createModel(access: { apiKey: string; baseUrl: string; model: string }): Promise<VendorModel>;
}

/** `url` without trailing slashes and with `version` as its last segment, which some vendors' tools omit. */
export function versionedUrl(url: string, version: string): string {
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith(`/${version}`) ? bare : `${bare}/${version}`;
}
