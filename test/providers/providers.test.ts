import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { OVERFLOW_SENTENCES, saysOverflow } from '../../src/providers/failures/overflow.ts';
import { createProvider } from '../../src/providers/index.ts';
import { VENDORS } from '../../src/providers/vendors.ts';
import { chatModelContract } from '../contracts/chat-model.ts';
import { providerContract } from '../contracts/provider.ts';

for (const vendor of VENDORS) {
  providerContract(vendor);
  chatModelContract(vendor);
}

describe('the providers', () => {
  test('are found by name; an error lists the known names', () => {
    for (const { name, keyVariables } of VENDORS) {
      const environment = { [keyVariables[0]!]: 'a key' };
      expect(createProvider(name, { environment, model: 'm' }).name).toBe(name);
    }
    expect(() => createProvider('antropic')).toThrow(expect.objectContaining({ code: 'PROVIDER_UNKNOWN' }));
    expect(() => createProvider('antropic')).toThrow('Did you mean "anthropic"?');
    expect(() => createProvider('antropic')).toThrow(VENDORS.map(({ name }) => name).join(', '));
  });

  test('a server of one’s own needs the name of a model', () => {
    expect(() => createProvider('openai-compatible', { environment: {} })).toThrow(
      expect.objectContaining({ code: 'PROVIDER_NOT_CONFIGURED' }),
    );
  });

  test('load the client of a vendor at its first request', () => {
    const folder = path.resolve(import.meta.dirname, '../../src/providers');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    expect(files).toContain('vendors.ts');
    for (const file of files)
      expect(readFileSync(path.join(folder, file), 'utf8')).not.toMatch(/^import (?!type)[^;]*'@?ai['-]/m);
  });
});

describe('overflow', () => {
  test.each(OVERFLOW_SENTENCES)('$vendor: the evidence is matched by its own pattern', ({ pattern, evidence }) => {
    expect(evidence).toMatch(pattern);
  });

  test.each([
    'Rate limit reached for requests',
    'Your credit balance is too low to access the API.',
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
    'Overloaded',
    'Rate limit reached for gpt-4 in organization org-1 on tokens per min (TPM): Limit 10000, Used 8554, Requested 3082.',
  ])('"%s" is not about the window', (words) => {
    expect(saysOverflow(words)).toBe(false);
  });
});
