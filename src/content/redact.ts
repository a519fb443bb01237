/** A text with what looks like a secret taken out, and how many there were. */
export interface Redaction {
  readonly text: string;
  readonly hidden: number;
}

interface SecretShape {
  readonly name: string;
  /** Global; the group `secret`, where there is one, is what is hidden, else all of it. */
  readonly pattern: RegExp;
}

/**
 * Shapes of keys, tokens and passwords. Sources: the vendors' documentation of their prefixes (Anthropic, OpenAI,
 * Google, AWS, GitHub, GitLab, Slack, Stripe, npm, Hugging Face), RFC 7468 (PEM), RFC 7519 (JWT), RFC 3986 (userinfo).
 */
const SHAPES: readonly SecretShape[] = [
  {
    name: 'private key',
    pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[^-]{1,20000}(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----)?/g,
  },
  { name: 'API key', pattern: /\bsk-(?:ant-|proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{20,}/g },
  { name: 'API key', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { name: 'access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { name: 'token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})/g },
  { name: 'token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { name: 'token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { name: 'webhook', pattern: /\bhttps:\/\/hooks\.slack\.com\/services\/(?<secret>[A-Za-z0-9/]{20,})/g },
  { name: 'API key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { name: 'token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { name: 'token', pattern: /\bya29\.[A-Za-z0-9_-]{20,}/g },
  { name: 'token', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g },
  { name: 'token', pattern: /\b(?:bearer|basic)\s+(?<secret>[A-Za-z0-9+/_.~-]{16,}={0,2})/gi },
  { name: 'password', pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@"']{0,100}:(?<secret>[^\s/?#@"']{1,200})@/gi },
  {
    name: 'secret',
    pattern:
      /(?:password|passwd|passphrase|api[_-]?key|secret[_-]?key|access[_-]?key|client[_-]?secret|auth[_-]?token|access[_-]?token|secret)\\?["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}\\?(?:"(?<quoted>[^"\\\s]{6,400})|'(?<single>[^'\\\s]{6,400})|(?<bare>[A-Za-z0-9+/_~!@#%^&*-]{8,400}={0,2})(?![\w.(]))/gi,
  },
];

/** What stands where a secret stood. */
const MARK = (name: string): string => `[hidden ${name}]`;

/** Values that are no secrets: places for one, and names of variables or types. */
const NO_SECRET =
  /^(?:\[hidden.*|<.*>|\$\{?.*|%.*%|\*+|x+|\.+|(?:your|my[_-]|the[_-]|example|process|os|env|config|string|undefined|required|optional|password|secret)[\w-]*)$/i;

/** Hides secrets of known shapes in a text; what is hidden already stays as it is. Linear in the text. */
export function redact(text: string): Redaction {
  let hidden = 0;
  let redacted = text;
  for (const { name, pattern } of SHAPES) {
    redacted = redacted.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>> | string;
      const found =
        typeof groups === 'string'
          ? whole
          : (groups['secret'] ?? groups['quoted'] ?? groups['single'] ?? groups['bare']);
      if (found === undefined || NO_SECRET.test(found)) return whole;
      hidden++;
      const start = whole.lastIndexOf(found);
      return whole.slice(0, start) + MARK(name) + whole.slice(start + found.length);
    });
  }
  return { text: redacted, hidden };
}

/** Hides the secrets in the texts of many values, and counts them. */
export class Redactor {
  hidden = 0;

  readonly text = (text: string): string => {
    const { text: redacted, hidden } = redact(text);
    this.hidden += hidden;
    return redacted;
  };

  /** A copy of plain data with every text in it redacted; keys stay. What holds no secret is the same object. */
  value<Value>(value: Value): Value {
    return this.#copy(value) as Value;
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#copy(item));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    const copies = fields.map(([key, field]) => [key, this.#copy(field)] as const);
    return copies.every(([, copy], index) => copy === fields[index]?.[1]) ? value : Object.fromEntries(copies);
  }
}
