/** US dollars for one use of a tool that a provider runs itself, beside the tokens. */
interface ToolPrice {
  readonly vendor: string;
  readonly tool: string;
  readonly dollars: number;
  readonly source: string;
  readonly readOn: string;
}

/** Tools that are billed by time, or free in some calls only, have no row. */
const TOOL_PRICES: readonly ToolPrice[] = [
  {
    vendor: 'anthropic',
    tool: 'web_search',
    dollars: 0.01,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    readOn: '2026-11-29',
  },
  {
    vendor: 'anthropic',
    tool: 'web_fetch',
    dollars: 0,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    readOn: '2026-11-29',
  },
];

/** What one use costs; undefined where no price is known. */
export const toolDollars = (vendor: string, tool: string): number | undefined =>
  TOOL_PRICES.find((row) => row.vendor === vendor && row.tool === tool)?.dollars;
