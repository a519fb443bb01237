import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor, redact } from '../../../src/content/secrets/redact.ts';

/** Invented secrets, concatenated so that no scanner reports this file as a leak. */
const made = (...parts: readonly string[]): string => parts.join('');
const LETTERS = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5';

const SECRETS: readonly (readonly [what: string, text: string, secret: string])[] = [
  ['an Anthropic key', 'key: %s.', made('sk-', 'ant-api03-', LETTERS)],
  ['an OpenAI key', 'use %s now', made('sk-', 'proj-', LETTERS)],
  ['a Google key', '?key=%s&alt=sse', made('AI', 'za', LETTERS.slice(0, 35))],
  ['an AWS access key', 'aws %s', made('AK', 'IA', 'ABCDEFGHIJKLMNOP')],
  ['an AWS secret', 'aws_secret_access_key = %s', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY'],
  ['a GitHub token', 'git clone with %s', made('gh', 'p_', LETTERS)],
  ['a GitLab token', 'token %s', made('gl', 'pat-', LETTERS.slice(0, 20))],
  ['a Slack token', 'slack: %s', made('xo', 'xb-', '123456789012-abcdefABCDEF')],
  ['a Stripe key', 'stripe %s', made('sk_', 'live_', LETTERS.slice(0, 24))],
  ['a JSON web token', 'cookie=%s;', made('ey', 'JhbGciOiJIUzI1', '.ey', 'JzdWIiOiIxMjM0', '.', LETTERS)],
  ['a bearer token', 'Authorization: Bearer %s', made(LETTERS.slice(0, 30), '==')],
  ['a password in a URL', 'postgres://app:%s@db.example.org/main', 'hunter2hunter2'],
  ['a password in JSON', '{"password": "%s"}', 'correct-horse'],
  ['a password in escaped JSON', '{\\"password\\":\\"%s\\"}', 'correct-horse'],
  ['a password in an environment file', 'DB_PASSWORD=%s\nPORT=80', 'correcthorse42'],
  ['a client secret', "client_secret: '%s'", 'abcdef0123456789'],
  ['a key of an older OpenAI account', 'OpenAI("%s")', made('sk-', LETTERS)],
  ['an OpenRouter key', '%s', made('sk-', 'or-v1-', LETTERS)],
  ['a Groq key', 'groq %s', made('gs', 'k_', LETTERS, LETTERS)],
  ['an xAI key', 'xai %s', made('xa', 'i-', LETTERS, LETTERS)],
  ['a secret of a Google OAuth client', 'google: %s', made('GOC', 'SPX-', LETTERS.slice(0, 28))],
  ['a fine-grained GitHub token', '%s', made('github', '_pat_', LETTERS, '_', LETTERS)],
  ['a secret of a Stripe webhook', 'hook %s', made('wh', 'sec_', LETTERS)],
  ['an npm token', '//registry.example.org/:_authToken=%s', made('np', 'm_', LETTERS)],
  ['a Hugging Face token', 'login %s', made('h', 'f_', LETTERS)],
  ['a SendGrid key', 'mail %s.', made('S', 'G.', LETTERS.slice(0, 22), '.', LETTERS, 'a1B2c3')],
  ['a Telegram token', 'bot%s/getMe'.replace('bot', 'bot '), made('123456789', ':A', 'A', LETTERS.slice(0, 33))],
  ['a Slack webhook', 'https://hooks.slack.com/services/%s', made('T00000000/B00000000/', LETTERS.slice(0, 24))],
  ['a Vault token', 'vault %s', made('hv', 's.', LETTERS)],
  ['basic authentication', 'Authorization: Basic %s', made('dXNlcjpo', 'dW50ZXIy')],
  ['a header in JSON', '{"authorization": "Bearer %s"}', LETTERS],
  ['a header with a key', 'x-api-key: %s', LETTERS],
  ['a token in a URL', 'https://%s@git.example.org/a.git', LETTERS],
  ['a password without a user', 'redis://:%s@cache:6379/0', 'hunter2hunter2'],
  ['a key of an account', 'AccountName=a;AccountKey=%s;', made(LETTERS, '+/', LETTERS, '==')],
  ['a session token', 'AWS_SESSION_TOKEN=%s', made(LETTERS, LETTERS, '/+', LETTERS)],
  ['a token in JSON', '{"refresh_token":"%s"}', LETTERS],
  ['a flag', 'deploy --api-token %s --now', LETTERS],
  ['an element', '<password>%s</password>', 'correct-horse'],
  ['a password that was cut', 'password: "%s…', 'correct-hor'],
];

describe('redaction', () => {
  test.each(SECRETS)('hides %s and keeps the text around it', (_what, template, secret) => {
    const { text, hidden } = redact(template.replace('%s', secret));
    expect(text).not.toContain(secret);
    expect(hidden).toBe(1);
    const [before = '', after = ''] = template.split('%s');
    expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
    expect(text).toMatch(/\[hidden [a-zA-Z ]+\]/);
  });

  test('hides a private key as a whole', () => {
    const body = `${LETTERS}\n`.repeat(20);
    const key = made('-----BEGIN RSA ', 'PRIVATE KEY-----\n', body, '-----END RSA ', 'PRIVATE KEY-----');
    expect(redact(`before\n${key}\nafter`)).toEqual({ text: 'before\n[hidden private key]\nafter', hidden: 1 });
  });

  test('hides a private key with headers, with numbered lines, and one that was cut off', () => {
    const begin = made('-----BEGIN RSA ', 'PRIVATE KEY-----');
    const end = made('-----END RSA ', 'PRIVATE KEY-----');
    const line = LETTERS.repeat(2).slice(0, 64);
    const keys = [
      `${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n${`${line}\n`.repeat(9)}${end}`,
      `${begin}\n${[2, 3, 4].map((number) => `${number}→${line}\n`).join('')}5→${end}`,
      `${begin}\\n${line}\\n${line}\\n${end}`,
      `${begin}\n${line}\n${line}`,
      `${begin}\n     2→${line}\n     3→${line}`,
    ];
    for (const key of keys) expect(redact(key)).toEqual({ text: '[hidden private key]', hidden: 1 });
  });

  test.each([
    'const password = process.env.PASSWORD;',
    "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return read(text);",
    '"apiKey": "ANTHROPIC_API_KEY"',
    'apiKey: "sk-..."',
    'export ANTHROPIC_API_KEY=sk-ant-...',
    'API_KEY=your-key-here',
    'api_key=self.config.api_key',
    'connect(password=db_password, token=token)',
    'TOKEN_NAME = "ENTIRE_CHECKPOINT_TOKEN"',
    'tokenCount: totalTokenUsage(usage), maxTokens: 4096, tokens":120000}',
    'inputTokens = response.usage.inputTokens2',
    '<div class="sk-toggleable__content-arrow sk-estimator-doc-link">',
    'http://localhost:3000@2x and {user}:{password}@host and https://user:$PASSWORD@host',
    'Basic internationalization, bearer authentication-schemes',
    'curl -H "Authorization: Bearer $TOKEN"',
    'password: "Enter your new password"',
    'secret: shared',
    '--password <password> --token "$TOKEN"',
    'password: string;',
    'api_key: "<your key here>"',
    'password = getpass()',
    'PASSWORD=$' + '{DB_PASSWORD}',
    'The task-list and the risk-assessment are in docs/.',
    'The secret of good soup: time.',
    'git commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'https://example.org:8080/a@b',
  ])('keeps %j unchanged', (text) => {
    expect(redact(text)).toEqual({ text, hidden: 0 });
  });

  test('redacting twice equals redacting once', () => {
    const all = SECRETS.map(([, template, secret]) => template.replace('%s', secret)).join('\n');
    const { text, hidden } = redact(all);
    expect(hidden).toBe(SECRETS.length);
    expect(redact(text)).toEqual({ text, hidden: 0 });
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (any) => {
        const once = redact(any).text;
        expect(redact(once)).toEqual({ text: once, hidden: 0 });
      }),
    );
  });

  test('redacts plain data, counts, and returns the same object if there is no secret', () => {
    const redactor = new Redactor();
    const clean = { blocks: [{ type: 'text', text: 'fine' }], count: 3, none: null };
    expect(redactor.value(clean)).toBe(clean);
    const secret = made('sk-', 'ant-api03-', LETTERS);
    const found = redactor.value({ a: [secret, 'fine'], b: { c: `x ${secret}` } });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(redactor.hidden).toBe(2);
  });

  test('hides the text of a field with the name of a secret', () => {
    const redactor = new Redactor();
    const parameters = { user: 'ann', password: 'correct-horse', token: LETTERS, token_count: '12', apiKey: 'API_KEY' };
    const expected = { ...parameters, password: '[hidden secret]', token: '[hidden secret]' };
    expect(redactor.value(parameters)).toEqual(expected);
    expect(redactor.hidden).toBe(2);
    expect(redactor.value(expected)).toBe(expected);
  });

  test('is linear in any text', () => {
    const pieces = [
      'password',
      'a://b:',
      'eyJaaaaaaaa.',
      '-eyJ',
      '-----BEGIN PRIVATE KEY-----',
      'sk-',
      'secret = "',
      'token=a1',
    ];
    // A pattern that is not linear would exceed the time limit of a test.
    for (const piece of pieces) {
      const text = piece.repeat(2_000_000 / piece.length);
      expect(redact(text).text.length).toBeGreaterThan(0);
    }
  });
});
