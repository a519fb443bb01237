/** Environment variables by name; only the process's own hold keys (issue: never on the command line or in a file). */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A `LanguageModel` of the AI SDK, whose own declarations do not compile under every setting of a caller. */
export interface VendorModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** How one vendor's API is reached. */
export interface Vendor {
  readonly name: string;
  /** Variables that may hold the key; the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** Whether it answers without a key, as servers on one's own computer do. */
  readonly worksWithoutKey: boolean;
  readonly baseUrlVariable: string;
  /** Where it listens unless told otherwise; absent where there is no such place. */
  readonly defaultBaseUrl?: string;
  /** The model that summarises unless told otherwise: small, fast, with a large window. */
  readonly defaultModel?: string;
  /** Loads the vendor's client; nothing of it is loaded before. */
  createModel(access: { apiKey: string; baseUrl: string; model: string }): Promise<VendorModel>;
}

/** `url` without slashes at its end and with `version` as its last segment, which some vendors' own tools leave out. */
export function versionedUrl(url: string, version: string): string {
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith(`/${version}`) ? bare : `${bare}/${version}`;
}
