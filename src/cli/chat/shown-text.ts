/** What a model wrote, without what a terminal would act on: controls go, line ends and tabs stay. */
export const shownText = (text: string): string =>
  text.replaceAll('\t', '  ').replace(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
