/**
 * Does the work again and again, until the function that it returns is called. What fails is done again at its next time. While the server
 * is gone the first work waits; more of it would only pile up.
 */
export function every(waitMs: number, work: () => unknown): () => void {
  let isWorking = false;
  const next = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    await Promise.resolve()
      .then(work)
      .catch(() => {});
    isWorking = false;
  };
  const timer = setInterval(() => void next(), waitMs);
  return () => clearInterval(timer);
}
