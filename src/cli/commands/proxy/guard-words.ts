/** Whether `density wrap` refuses a copied marker before it is in a file, or why it cannot. */
export const guardWords = (unguarded: string | undefined): string =>
  unguarded === undefined
    ? 'a copied marker is refused before it is written'
    : `a copied marker is told after it was written: ${unguarded}`;
