type LiveScreen = typeof import('./live-screen.tsx');

/**
 * Loads the live screen. It takes 300 ms, which plain lines do not need. React chooses between its development and its
 * production build while it loads; the development build draws several times slower.
 */
export async function loadScreen(): Promise<LiveScreen> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    return await import('./live-screen.tsx');
  } finally {
    // Commands that the agent runs must see the original environment.
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}
