import { describe, expect, test } from 'vitest';
import { mediaOfUrl, urlOfMedia } from '../../../src/formats/blocks/data-url.ts';

describe('the media block of a URL', () => {
  test('has the data of a data URL, with or without parameters', () => {
    const url = 'data:image/png;base64,aGVsbG8=';
    expect(mediaOfUrl(url)).toEqual({ type: 'media', mimeType: 'image/png', data: 'aGVsbG8=', encoding: 'base64' });
    expect(urlOfMedia(mediaOfUrl(url))).toBe(url);
    expect(mediaOfUrl('data:text/plain;charset=utf-8;base64,YQ==')).toMatchObject({
      mimeType: 'text/plain',
      data: 'YQ==',
    });
  });

  test.each([
    'https://example.com/a;base64,b.png',
    'data:text/plain,a;base64,b',
    'data:image/png;base64',
    'data:;base64,YQ==',
    `data:${'x'.repeat(1_000_000)}`,
  ])('is the URL itself if it has no base64: %.40s', (url) => {
    expect(mediaOfUrl(url)).toEqual({ type: 'media', mimeType: 'image/*', data: url, encoding: 'url' });
  });
});
