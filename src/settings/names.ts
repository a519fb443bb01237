/** What a profile may be called: it is the name of a file everywhere. */
const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a profile may be called that. */
export const isProfileName = (text: string): boolean => PROFILE_NAME.test(text);

/** The names in a text that separates them by commas; blanks around them do not count. */
export const listedNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a text names anything. */
export const isNameList = (text: string): boolean => listedNames(text).length > 0;
