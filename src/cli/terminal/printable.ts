/** What a terminal would act on instead of showing it, made visible: controls become `·`. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, '·');
