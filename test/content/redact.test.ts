import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor, redact } from '../../src/content/redact.ts';

/** Made up here, put together so that no scanner takes this file for a leak. */
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
];

describe('redaction', () => {
  test.each(SECRETS)('hides %s, and nothing around it', (_what, template, secret) => {
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

  test.each([
    'const password = process.env.PASSWORD;',
    'password: string;',
    'api_key: "<your key here>"',
    'password = getpass()',
    'PASSWORD=$' + '{DB_PASSWORD}',
    'The task-list and the risk-assessment are in docs/.',
    'The secret of good soup: time.',
    'git commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'https://example.org:8080/a@b',
  ])('leaves %j as it is', (text) => {
    expect(redact(text)).toEqual({ text, hidden: 0 });
  });

  test('redacting twice is redacting once', () => {
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

  test('goes through plain data and counts, and gives back what held none', () => {
    const redactor = new Redactor();
    const clean = { blocks: [{ type: 'text', text: 'fine' }], count: 3, none: null };
    expect(redactor.value(clean)).toBe(clean);
    const secret = made('sk-', 'ant-api03-', LETTERS);
    const found = redactor.value({ a: [secret, 'fine'], b: { c: `x ${secret}` } });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(redactor.hidden).toBe(2);
  });

  test('takes time in proportion to the text, whatever the text', () => {
    for (const piece of ['password', 'a://b:', 'eyJaaaaaaaa.', '-----BEGIN PRIVATE KEY-----', 'sk-', 'secret = "']) {
      const text = piece.repeat(200_000 / piece.length);
      expect(redact(text).text.length).toBeGreaterThan(0);
    }
  });
});
