/** A call that could not be done; the message is for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
