/** mini-swe-agent: nothing but a fresh shell per call. */
export const miniSweAgent = {
    name: 'mini-swe-agent',
    tools: { bash: { role: 'shell', parser: 'shell', textKeys: ['command'] } },
};
