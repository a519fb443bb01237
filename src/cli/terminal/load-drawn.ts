/**
 * Loads a module that draws with React. React chooses between its development and its production build while it loads; the
 * development build draws several times slower.
 */
export async function loadDrawn<Module>(load: () => Promise<Module>): Promise<Module> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    return await load();
  } finally {
    // Commands that the agent runs must see the original environment.
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}
