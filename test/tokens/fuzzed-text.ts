/** Parts that pre-tokenizers treat differently, alone and next to each other. */
const PARTS = [
  ...[
    'a',
    'b',
    'Z',
    'the',
    'ing',
    'Error',
    'HTTP',
    'camelCase',
    'é',
    'É',
    'ß',
    'ſ',
    'İ',
    'ǅ',
    'ʰ',
    'ª',
    'Привет',
    'λόγος',
  ],
  ...["'", "'s", "'LL", "'ſ", "'Re", "n't", '’s', ' ', '  ', '        ', '\t', '\n', '\n\n', '\r', '\r\n', '\v', '\f'],
  ...['\u00a0', '\u0085', '\u1680', '\u2028', '\u3000', '\ufeff', '\u0000', '\u0007', '\u001b[31m', '\u200d', '\ufffd'],
  ...[
    '1',
    '23',
    '456',
    '7890',
    '٣',
    '²',
    '½',
    'Ⅷ',
    '𝟘',
    '中',
    '国文',
    '語',
    '한',
    '국어',
    'あ',
    'ー',
    'カタカナ',
    'क',
    'ि',
    'ไม่',
    '़',
    '́',
  ],
  ...['👍', '🏽', '👩‍💻', '🇩🇪', '𝒳', '𐐀', '𐐨', '\ud800', '\udc00', '\udbff', '\u088f', '\u{16ff4}', '\u{1f9ff}'],
  ...[
    '/',
    '//',
    '.',
    '...',
    '!?',
    '_',
    '__proto__',
    '-',
    '==',
    '=>',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\n',
    '`',
    '#',
    '@',
    '$',
    '%',
    '^',
  ],
  ...[
    '<|endoftext|>',
    '<|endofprompt|>',
    '<|im_start|>',
    '<|fim_prefix|>',
    'https://',
    'aaaaaaaa',
    '========',
    '////////',
  ],
];

/** A repeatable stream of numbers in [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A text of 1 to `mostParts` parts; one in twenty is a random code unit. */
export function fuzzedText(random: () => number, mostParts: number): string {
  let text = '';
  for (let parts = 1 + Math.floor(random() * mostParts); parts > 0; parts--) {
    if (random() < 0.05) text += String.fromCharCode(Math.floor(random() * 0x10000));
    else text += PARTS[Math.floor(random() * PARTS.length)];
  }
  return text;
}
