export function testsOf(
  changed: readonly string[],
  root: string,
): { readonly run: readonly string[]; readonly built: readonly string[] };
