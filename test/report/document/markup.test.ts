import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakable, escaped, html, NOTHING } from '../../../src/report/document/markup.ts';

describe('markup', () => {
  test('escapes its values, but not markup again', () => {
    const inner = html`<b title="${'"x" & <y>'}">${"it's"}</b>`;
    expect(html`<p>${inner}${[inner, NOTHING]}${3}</p>`.text).toBe(
      '<p><b title="&quot;x&quot; &amp; &lt;y&gt;">it&#39;s</b><b title="&quot;x&quot; &amp; &lt;y&gt;">it&#39;s</b>3</p>',
    );
  });

  test('shows a dot for invisible characters and those that change the direction of text', () => {
    expect(escaped('a\u0000b\u001b[31mc\u202ed\te\nf')).toBe('a·b·[31mc·d\te\nf');
  });

  test('lets a name break after its separators', () => {
    expect(breakable('/a//b-c.ts').text).toBe('/<wbr>a//<wbr>b-<wbr>c.<wbr>ts');
  });

  test('opens no element and ends no quotation for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"']/);
        expect(breakable(text).text.replaceAll('<wbr>', '')).toBe(escaped(text));
      }),
    );
  });
});
