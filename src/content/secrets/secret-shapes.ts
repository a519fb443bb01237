/** What a known kind of secret looks like. */
export interface SecretShape {
  /** The name in the marker. */
  readonly name: string;
  /** Global, and linear in the text. Hides the named group that matches, or the whole match. */
  readonly pattern: RegExp;
  /** True for a match that is no secret. */
  readonly isInnocent?: (found: string, whole: string) => boolean;
}

/** Writes `x{20,}` as `x{20}x*`: of the first, V8 remembers each repetition, and has no room for six million. */
// Bounded text: shapes of ours.
const withPlainRuns = (source: string): string => source.replaceAll(/(\[[^\]]+\]|\\w)\{(\d+),\}/g, '$1{$2}$1*');

/** One pattern for shapes with an unmistakable prefix each. */
const prefixed = (...shapes: readonly string[]): RegExp => new RegExp(withPlainRuns(`\\b(?:${shapes.join('|')})`), 'g');

/** Source: each vendor's documentation of its prefix. */
const API_KEYS = prefixed(
  // OpenAI, Anthropic, OpenRouter, Langfuse; then DeepSeek, Moonshot and OpenAI's older ones.
  'sk-(?:ant|proj|or|svcacct|admin|lf)-[\\w-]{20,}',
  'sk-[A-Za-z0-9]{20,}',
  // Groq, xAI, Cerebras, Perplexity, Replicate, Tavily.
  'gsk_[A-Za-z0-9]{40,}',
  'xai-[A-Za-z0-9]{40,}',
  'csk-[a-z0-9]{40,}',
  'pplx-[A-Za-z0-9]{40,}',
  'r8_[A-Za-z0-9]{37}',
  'tvly-[A-Za-z0-9-]{28,}',
  // Google: keys and secrets of OAuth clients.
  'AIza[\\w-]{35}',
  'GOCSPX-[\\w-]{28}',
  // AWS: access keys, temporary ones, keys of Bedrock.
  '(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])',
  'ABSK[A-Za-z0-9+/]{100,}={0,2}',
  // Stripe: keys, and secrets of webhooks.
  '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}',
  'whsec_[A-Za-z0-9+/]{24,}',
  // SendGrid, Databricks, Shopify, Linear, Notion, Figma, age.
  'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}',
  'dapi[a-f0-9]{32}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  'lin_api_[A-Za-z0-9]{32,}',
  'ntn_[A-Za-z0-9]{40,}',
  'figd_[\\w-]{30,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
);

const TOKENS = prefixed(
  // GitHub, GitLab.
  'gh[oprsu]_[A-Za-z0-9]{36,}',
  'github_pat_\\w{40,}',
  'gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|oas)-[\\w-]{20,}',
  // Slack, Telegram.
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{20,}',
  '\\d{8,10}:AA[\\w-]{33}',
  // npm, PyPI, RubyGems, Docker, Hugging Face.
  'npm_[A-Za-z0-9]{36}',
  'pypi-[\\w-]{50,}',
  'rubygems_[a-f0-9]{48}',
  'dckr_(?:pat|oat)_[\\w-]{20,}',
  'hf_[A-Za-z0-9]{30,}',
  // Google, DigitalOcean, HashiCorp Vault, Supabase, Grafana.
  'ya29\\.[\\w-]{20,}',
  'do[opr]_v1_[a-f0-9]{64}',
  'hv[bs]\\.[\\w-]{24,}',
  'sbp_[a-f0-9]{40}',
  'gl(?:sa|c)_[\\w+/=]{32,}',
  // RFC 7519. The pattern would be quadratic if it could start in the middle of a run.
  '(?<![\\w-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}',
);

/** RFC 7468: up to the end line; without one, the base64 lines that follow, with or without line numbers. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:(?:-{0,4}[^-]){20,20000}-----END (?:[A-Z]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\\+[nrt]|[^A-Za-z0-9+/-]){0,20}(?:\d{1,6}[^\w+/-]{1,6})?[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=]*){1,10000})/g;

/** How the name of a field, variable or flag with a secret ends. */
const NAMES =
  '(?:pass(?:word|wd|phrase)|secret|api[_-]?key|(?:access|account|private|secret|signing|encryption|master|shared)[_-]?key)';
const SECRET_NAME = new RegExp(`${NAMES}$`, 'i');
const TOKEN_NAME = /token$/i;

/** A field and its value: in closed quotes, or without quotes to the end of the word. */
const valueAfter = (name: string, least: { readonly quoted: number; readonly bare: number }): RegExp =>
  new RegExp(
    withPlainRuns(
      `${name}(?:\\\\*["']?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}(?:\\\\*"(?<quoted>[^"…\\\\\\s]{${least.quoted},})(?=\\\\*"|…|$)|\\\\*'(?<single>[^'…\\\\\\s]{${least.quoted},})(?=\\\\*'|…|$)|(?<bare>[\\w+/~!@#%^&*-]{${least.bare},}={0,2})(?![\\w.(\\[+/~!@#%^&*-]))|>(?<element>[^<>\\s]{${least.quoted},400})</)`,
    ),
    'gi',
  );

/** Placeholders, expressions and names of types. */
const PLACEHOLDER =
  // Bounded text: `LONGEST_NAME` characters.
  /^(?:<.*|[[{$%(].*|.*(?:\.\.\.|…|\*\*\*).*|(.)\1+|(?:your|my|the|some|example|dummy|fake|demo|placeholder|changeme)(?:[_-].*)?|(?:process|os|env|config|this|self)[.[:].*|string|undefined|required|optional|null|none|true|false|redacted|hidden)$/i;
// Bounded text: `LONGEST_NAME` characters.
const ENVIRONMENT_VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
// Bounded text: `LONGEST_NAME` characters.
/** A variable whose name contains a word for secret. */
const NAME_OF_SECRET = /^[a-z_-]*(?:pass|secret|token|key|credential|auth)[a-z_-]*$/i;
/** A longer text is not a name. */
const LONGEST_NAME = 200;

const isPlaceholder = (found: string): boolean =>
  found.length <= LONGEST_NAME && [PLACEHOLDER, ENVIRONMENT_VARIABLE, NAME_OF_SECRET].some((name) => name.test(found));
/** Words and names contain no digits, numbers no letters; a token contains both. */
const isWordOrNumber = (found: string): boolean => !/\d/.test(found) || !/[A-Za-z]/.test(found);
const isLowerCaseName = (found: string): boolean => /^[a-z_-]+$/.test(found);

/** In `name: value` of prose and code, a value without quotes is a secret only if it is not a word. */
function isInnocentValue(found: string, whole: string): boolean {
  if (isPlaceholder(found)) return true;
  const isBare = /[\s:=>]$/.test(whole.slice(0, whole.lastIndexOf(found)));
  return isBare && /[:=]>?\s/.test(whole) && /^[A-Za-z_-]+$/.test(found);
}

const isPort = (found: string): boolean => /^\d{1,5}$/.test(found);

/** Every known kind, the most specific first. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { name: 'private key', pattern: PRIVATE_KEY },
  { name: 'API key', pattern: API_KEYS, isInnocent: isLowerCaseName },
  { name: 'token', pattern: TOKENS },
  {
    name: 'webhook',
    pattern:
      /\bhttps:\/\/(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[A-Za-z0-9/_-]{20}[A-Za-z0-9/_-]*)/g,
  },
  // RFC 3986, userinfo.
  {
    name: 'password',
    pattern: /:\/\/(?:[^\s:/?#@"'`]{0,100}:(?<secret>[^\s/?#@"'`]{1,200})|(?<user>[\w-]{20,200}))@/g,
    isInnocent: (found) => isPlaceholder(found) || isPort(found),
  },
  // RFC 6750 and RFC 7617.
  {
    name: 'token',
    pattern: /\bbearer[ \t]{1,8}(?<secret>[\w+/.~-]{16}[\w+/.~-]*={0,2})/gi,
    isInnocent: (found) => isPlaceholder(found) || isWordOrNumber(found),
  },
  {
    name: 'token',
    pattern:
      /\bauthorization\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?(?:[a-z]{3,20}[ \t]{1,8})?(?<secret>[\w+/.~-]{12}[\w+/.~-]*={0,2})(?![\w(])/gi,
    isInnocent: (found) => isPlaceholder(found) || /^(?:[a-z]+|[A-Z]?[a-z_.-]+)$/.test(found),
  },
  { name: 'secret', pattern: valueAfter(NAMES, { quoted: 6, bare: 8 }), isInnocent: isInnocentValue },
  {
    name: 'token',
    pattern: valueAfter('token', { quoted: 16, bare: 16 }),
    isInnocent: (found) => isPlaceholder(found) || isWordOrNumber(found),
  },
  {
    name: 'secret',
    pattern: new RegExp(
      withPlainRuns(`--(?:[a-z]{1,20}-){0,3}(?:${NAMES}|token)[ \\t]{1,4}\\\\*["']?(?<flag>[\\w+/~!@#%^&*=.-]{6,})`),
      'gi',
    ),
    isInnocent: (found) => isPlaceholder(found) || isWordOrNumber(found) || found.startsWith('--'),
  },
];

/** True if this text is a secret in a field of this name. */
export function isSecretField(name: string, text: string): boolean {
  if (/\s/.test(text) || isPlaceholder(text)) return false;
  return SECRET_NAME.test(name)
    ? text.length >= 6
    : TOKEN_NAME.test(name) && text.length >= 16 && !isWordOrNumber(text);
}
