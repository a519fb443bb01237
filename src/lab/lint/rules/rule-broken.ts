/** A rule of an API that a request breaks, in the words of its 400. */
export class RuleBroken extends Error {
  readonly code: string | null;
  readonly parameter: string | null;
  /** The index of the message, if it is one. */
  readonly at: number | undefined;

  constructor(message: string, { code, parameter, at }: { code?: string; parameter?: string; at?: number } = {}) {
    super(message);
    this.code = code ?? null;
    this.parameter = parameter ?? null;
    this.at = at;
  }
}
