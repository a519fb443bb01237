const text = Array.from({ length: 400 }, (_, line) => `${line + 1}\tline ${line} of it`).join('\n');
/** A file is read and then written, so that the read is stale. */
export const staleRead = (id: string): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/${id}.ts` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text.replaceAll('it', id) }] },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: `${id}w`, name: 'Write', input: { file_path: `/${id}.ts`, content: 'x' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `${id}w`, content: 'ok' }] },
];
