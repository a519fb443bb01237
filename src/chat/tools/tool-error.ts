/** A failed call; the message is for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
