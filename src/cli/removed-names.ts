/** The names that are no command any more, each with what takes its place. One that `COMMANDS` still has runs. */
export const REMOVED_NAMES: Readonly<Record<string, string>> = {
  archive: 'is now `density restore --archive`',
  chat: 'is no command any more; `examples/chat` of the package is a program that you can copy',
  compact: 'is now `density optimize --model <name>`',
  compactions: 'is now `density bill --compactions`',
  compress: 'is now `density optimize --strategy <name>`',
  count: 'is now `density dev count`',
  lint: 'is now `density inspect --lint`',
  page: 'is now `density stats --page`',
  provider: 'is now `density dev provider`',
  report: 'is now `density replay -o page.html`',
  resume: 'is now `density optimize --start`',
  serve: 'is no command any more; a program keeps its histories with `HistoryService` of the library',
  shape: 'is now `density dev shape`',
  token: 'is now `density team token`',
  tune: 'is now `density compare --save <name>`',
  watch: 'is no command any more; `density stats --page` shows a running session',
  worker: 'is now `density team worker`',
};

/** A sentence about a name that is no command any more; undefined for any other word. */
export function removedName(name: string): string | undefined {
  return Object.hasOwn(REMOVED_NAMES, name) ? `\`${name}\` ${REMOVED_NAMES[name]}.` : undefined;
}
