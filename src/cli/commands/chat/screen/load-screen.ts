type LiveScreen = typeof import('./live-screen.tsx');

/**
 * The live screen, loaded when it is wanted: that takes 300 ms, which lines do not need. React chooses its half for
 * development or the one for production while it loads; the former takes several times as long for each drawing.
 */
export async function loadScreen(): Promise<LiveScreen> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    return await import('./live-screen.tsx');
  } finally {
    // Commands that the agent runs see the environment as it was.
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}
