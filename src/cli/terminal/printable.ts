/** `text` with control characters, which a terminal would act on, replaced by `·`. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, '·');
